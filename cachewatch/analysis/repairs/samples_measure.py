"""Code that measures: minutes, probes, usage fields, tokens, diagnostics."""

from __future__ import annotations

_MINUTES_HTTP = """
# 1-minute buckets of one day, with an admin key; START is midnight UTC in epoch seconds
curl --get https://api.openai.com/v1/organization/usage/completions \\
  --header "Authorization: Bearer $OPENAI_ADMIN_KEY" \\
  --data-urlencode "start_time=$START" --data-urlencode "end_time=$((START + 86400))" \\
  --data-urlencode bucket_width=1m --data-urlencode limit=1440 \\
  --data-urlencode "project_ids=$PROJECT" --data-urlencode "models=$MODEL" > minutes.json
cachewatch diagnose minutes.json
"""
_MINUTES = {"http": _MINUTES_HTTP}
_PROBE = {
    "python": """
def cached(text):
    answer = client.responses.create(
        model=MODEL, input=[{"role": "developer", "content": STATIC}, {"role": "user", "content": text}]
    )
    return answer.usage.input_tokens_details.cached_tokens

first, identical = cached("one"), cached("one")
new_tail = cached("two")
print("identical pair:", identical, "new tail:", new_tail)
""",
    "node": """
const cached = async (text) => {
  const answer = await client.responses.create({
    model: MODEL,
    input: [{ role: "developer", content: STATIC }, { role: "user", content: text }],
  });
  return answer.usage.input_tokens_details.cached_tokens;
};
await cached("one");
console.log("identical pair:", await cached("one"), "new tail:", await cached("two"));
""",
    "http": """
for text in one one two; do
  jq -n --arg model "$MODEL" --rawfile static static.txt --arg text "$text" \\
    '{model: $model, input: [{role: "developer", content: $static}, {role: "user", content: $text}]}' |
    curl -s https://api.openai.com/v1/responses --header "Authorization: Bearer $OPENAI_API_KEY" \\
      --header "Content-Type: application/json" --data @- | jq .usage.input_tokens_details
done
""",
    "litellm": """
def cached(text):
    messages = [{"role": "system", "content": STATIC}, {"role": "user", "content": text}]
    details = litellm.completion(model=MODEL, messages=messages).usage.prompt_tokens_details
    return details.cached_tokens if details else None

first, identical = cached("one"), cached("one")
print("identical pair:", identical, "new tail:", cached("two"))
""",
}
_FLOOR = {
    "python": """
def hit(words):
    prompt = "word " * words
    for _ in range(2):
        answer = client.responses.create(model=MODEL, input=prompt, tools=TOOLS)
    return answer.usage.input_tokens, answer.usage.input_tokens_details.cached_tokens

for words in range(800, 4001, 400):
    print(hit(words))  # the first line with cached tokens: the minimum lies at or below it
""",
    "node": """
for (let words = 800; words <= 4000; words += 400) {
  const send = () => client.responses.create({ model: MODEL, input: "word ".repeat(words), tools: TOOLS });
  await send();
  const { usage } = await send();
  console.log(usage.input_tokens, usage.input_tokens_details.cached_tokens);
}
""",
    "http": """
for words in $(seq 800 400 4000); do
  jq -n --arg model "$MODEL" --argjson words "$words" --slurpfile tools tools.json \\
    '{model: $model, input: ("word " * $words), tools: $tools[0]}' > floor.json
  for try in 1 2; do
    curl -s https://api.openai.com/v1/responses --header "Authorization: Bearer $OPENAI_API_KEY" \\
      --header "Content-Type: application/json" --data @floor.json > answer.json
  done
  jq -c '.usage | [.input_tokens, .input_tokens_details.cached_tokens]' answer.json
done
""",
    "litellm": """
def hit(words):
    messages = [{"role": "user", "content": "word " * words}]
    for _ in range(2):
        usage = litellm.completion(model=MODEL, messages=messages, tools=TOOLS).usage
    details = usage.prompt_tokens_details
    return usage.prompt_tokens, details.cached_tokens if details else None

for words in range(800, 4001, 400):
    print(hit(words))
""",
}
_USAGE_FIELD = {
    "python": """
# Responses
answer = client.responses.create(model=MODEL, input=INPUT)
print(answer.usage.input_tokens, answer.usage.input_tokens_details.cached_tokens)
# Chat Completions, streamed: usage comes in the last chunk, and only where it is asked for
for chunk in client.chat.completions.create(
    model=MODEL, messages=MESSAGES, stream=True, stream_options={"include_usage": True}
):
    if chunk.usage:
        print(chunk.usage.prompt_tokens, chunk.usage.prompt_tokens_details.cached_tokens)
""",
    "node": """
const stream = await client.chat.completions.create({
  model: MODEL, messages: MESSAGES, stream: true, stream_options: { include_usage: true },
});
for await (const chunk of stream) {
  if (chunk.usage) console.log(chunk.usage.prompt_tokens, chunk.usage.prompt_tokens_details.cached_tokens);
}
""",
    "http": """
curl -s https://api.openai.com/v1/responses --header "Authorization: Bearer $OPENAI_API_KEY" \\
  --header "Content-Type: application/json" --data @body.json | jq .usage
""",
    "litellm": """
answer = litellm.completion(model=MODEL, messages=MESSAGES)
print(answer.usage.prompt_tokens, answer.usage.prompt_tokens_details.cached_tokens)
# The log columns cache_hit and cache_key are LiteLLM's own response store: not this.
""",
}
_DIAGNOSTICS = {
    "python": """
answer = client.responses.create(
    model=MODEL, input=INPUT, prompt_cache_options={"comparison_response_id": EARLIER_ID}
)
print(answer.prompt_cache_diagnostics)  # type, reason, cache_missed_tokens
""",
    "node": """
const answer = await client.responses.create({
  model: MODEL, input: INPUT, prompt_cache_options: { comparison_response_id: EARLIER_ID },
});
console.log(answer.prompt_cache_diagnostics);
""",
    "http": """
jq --arg id "$EARLIER_ID" '.prompt_cache_options.comparison_response_id = $id' body.json |
  curl -s https://api.openai.com/v1/responses --header "Authorization: Bearer $OPENAI_API_KEY" \\
    --header "Content-Type: application/json" --data @- | jq .prompt_cache_diagnostics
""",
    "litellm": """
answer = litellm.responses(
    model=MODEL,
    input=INPUT,
    extra_body={"prompt_cache_options": {"comparison_response_id": EARLIER_ID}},
)
print(getattr(answer, "prompt_cache_diagnostics", None))
""",
}
_TWO_THOUSAND = {
    "python": """
def line(request, answer):
    key = request.get("prompt_cache_key") or ""
    prefix = json.dumps(request["input"], sort_keys=False)[:4000]  # about 1,024 tokens
    usage = answer.usage
    return [
        time.time(),
        hashlib.sha256(key.encode()).hexdigest()[:12],
        hashlib.sha256(prefix.encode()).hexdigest()[:12],
        request.get("metadata", {}).get("session_id"),
        usage.input_tokens,
        usage.input_tokens_details.cached_tokens,
        getattr(usage.input_tokens_details, "cache_write_tokens", None),  # not on older models
    ]
""",
    "node": """
const hash = (text) => createHash("sha256").update(text).digest("hex").slice(0, 12);
const line = (request, answer) => [
  Date.now() / 1000,
  hash(request.prompt_cache_key ?? ""),
  hash(JSON.stringify(request.input).slice(0, 4000)), // about 1,024 tokens
  request.metadata?.session_id ?? null,
  answer.usage.input_tokens,
  answer.usage.input_tokens_details.cached_tokens,
  answer.usage.input_tokens_details.cache_write_tokens ?? null,
];
""",
    "http": """
# body.json is what was sent, answer.json what came back; a line for each request
hash() { sha256sum | cut -c1-12; }
key=$(jq -j '.prompt_cache_key // ""' body.json | hash)
prefix=$(jq -cj .input body.json | head -c 4000 | hash) # about 1,024 tokens
jq -c --arg key "$key" --arg prefix "$prefix" --slurpfile body body.json \\
  '[now, $key, $prefix, $body[0].metadata.session_id, (.usage | .input_tokens,
    .input_tokens_details.cached_tokens, .input_tokens_details.cache_write_tokens)]' \\
  answer.json >> requests.jsonl
""",
    "litellm": """
class Lines(litellm.integrations.custom_logger.CustomLogger):
    def log_success_event(self, kwargs, response_obj, start_time, end_time):
        prefix = json.dumps(kwargs["messages"])[:4000]  # about 1,024 tokens
        key = kwargs.get("optional_params", {}).get("prompt_cache_key") or ""
        usage = response_obj.usage
        details = usage.prompt_tokens_details
        print(
            start_time,
            hashlib.sha256(key.encode()).hexdigest()[:12],
            hashlib.sha256(prefix.encode()).hexdigest()[:12],
            usage.prompt_tokens,
            details.cached_tokens if details else None,
        )

litellm.callbacks = [Lines()]
""",
}
_COUNT_TOKENS = {
    "python": """
count = client.responses.input_tokens.count(model=MODEL, input=INPUT, tools=TOOLS, text=TEXT_FORMAT)
print(count.input_tokens)
""",
    "node": """
const count = await client.responses.inputTokens.count({ model: MODEL, input: INPUT, tools: TOOLS });
console.log(count.input_tokens);
""",
    "http": """
curl -s https://api.openai.com/v1/responses/input_tokens \\
  --header "Authorization: Bearer $OPENAI_API_KEY" --header "Content-Type: application/json" \\
  --data @body.json
""",
    "litellm": """
# Counted here, without a call: near the provider's own count, which decides
print(litellm.token_counter(model=MODEL, messages=MESSAGES, tools=TOOLS))
""",
}
CODE: dict[str, dict[str, str]] = {
    "busy-day-by-minute": _MINUTES,
    "gaps-by-minute": _MINUTES,
    "probe-pair": _PROBE,
    "usage-field-at-edge": _USAGE_FIELD,
    "ask-diagnostics": _DIAGNOSTICS,
    "measure-floor": _FLOOR,
    "log-two-thousand": _TWO_THOUSAND,
    "burst-places": _TWO_THOUSAND,
    "count-prefixes": _TWO_THOUSAND,
    "count-tokens": _COUNT_TOKENS,
}
