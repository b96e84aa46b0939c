"""Code that repairs: keys, breakpoints, the explicit mode, lifetimes, warm calls."""

from __future__ import annotations

_KEY = {
    "python": """
# cache_key, and the unit and shards for this series: from the key plan
key = cache_key(system, tools, unit, shards)
client.responses.create(model=MODEL, input=INPUT, **({"prompt_cache_key": key} if key else {}))
""",
    "node": """
// cacheKey, and the unit and shards for this series: from the key plan
const key = cacheKey(system, tools, unit, shards);
await client.responses.create({ model: MODEL, input: INPUT, ...(key && { prompt_cache_key: key }) });
""",
    "http": """
# cache_key, and the unit and shards for this series: from the key plan
key=$(cache_key "$system" "$tools" "$unit" "$shards")
jq --arg key "$key" 'if $key == "" then . else .prompt_cache_key = $key end' body.json |
  curl -s https://api.openai.com/v1/responses --header "Authorization: Bearer $OPENAI_API_KEY" \\
    --header "Content-Type: application/json" --data @-
""",
    "litellm": """
# cache_key, and the unit and shards for this series: from the key plan
key = cache_key(system, tools, unit, shards)
litellm.completion(model=MODEL, messages=MESSAGES, **({"prompt_cache_key": key} if key else {}))
# Look at the last hop whether the proxy passes the field on. Several deployments behind one name
# scatter by themselves; router_settings of the proxy: optional_pre_call_checks: [prompt_caching]
""",
}
_BREAKPOINT = {
    "python": """
static = {
    "type": "input_text",
    "text": RULES,
    "prompt_cache_breakpoint": {"mode": "explicit"},
}
client.responses.create(
    model=MODEL,
    input=[
        {"role": "developer", "content": [static]},  # not the field instructions
        {"role": "user", "content": question},
    ],
)
""",
    "node": """
await client.responses.create({
  model: MODEL,
  input: [
    {
      role: "developer",
      content: [{ type: "input_text", text: RULES, prompt_cache_breakpoint: { mode: "explicit" } }],
    },
    { role: "user", content: question },
  ],
});
""",
    "http": """
cat > body.json <<'JSON'
{"model": "gpt-5.6-terra",
 "input": [
  {"role": "developer", "content": [{"type": "input_text", "text": "RULES",
    "prompt_cache_breakpoint": {"mode": "explicit"}}]},
  {"role": "user", "content": "the question"}]}
JSON
curl -s https://api.openai.com/v1/responses --header "Authorization: Bearer $OPENAI_API_KEY" \\
  --header "Content-Type: application/json" --data @body.json | jq .usage
""",
    "litellm": """
# The proxy must know the field, or pass it on: look at the body that leaves it.
static = {"type": "input_text", "text": RULES, "prompt_cache_breakpoint": {"mode": "explicit"}}
litellm.responses(
    model=MODEL,
    input=[{"role": "developer", "content": [static]}, {"role": "user", "content": question}],
)
""",
}
_EXPLICIT_ONLY = {
    "python": """
client.responses.create(
    model=MODEL, input=INPUT_WITH_ONE_BREAKPOINT, prompt_cache_options={"mode": "explicit"}
)
""",
    "node": """
await client.responses.create({
  model: MODEL, input: INPUT_WITH_ONE_BREAKPOINT, prompt_cache_options: { mode: "explicit" },
});
""",
    "http": """
jq '.prompt_cache_options.mode = "explicit"' body.json |
  curl -s https://api.openai.com/v1/responses --header "Authorization: Bearer $OPENAI_API_KEY" \\
    --header "Content-Type: application/json" --data @-
""",
    "litellm": """
litellm.responses(
    model=MODEL,
    input=INPUT_WITH_ONE_BREAKPOINT,
    extra_body={"prompt_cache_options": {"mode": "explicit"}},
)
""",
}
_OFF = {
    "python": """
# the explicit mode without any breakpoint: nothing is written, nothing is read
client.responses.create(model=MODEL, input=INPUT, prompt_cache_options={"mode": "explicit"})
""",
    "node": """
await client.responses.create({ model: MODEL, input: INPUT, prompt_cache_options: { mode: "explicit" } });
""",
    "http": """
jq '.prompt_cache_options.mode = "explicit"' body.json |
  curl -s https://api.openai.com/v1/responses --header "Authorization: Bearer $OPENAI_API_KEY" \\
    --header "Content-Type: application/json" --data @-
""",
    "litellm": """
litellm.responses(model=MODEL, input=INPUT, extra_body={"prompt_cache_options": {"mode": "explicit"}})
""",
}
_RETENTION = {
    "python": """
client.responses.create(model=MODEL, input=INPUT, prompt_cache_retention="24h")
""",
    "node": """
await client.responses.create({ model: MODEL, input: INPUT, prompt_cache_retention: "24h" });
""",
    "http": """
jq '.prompt_cache_retention = "24h"' body.json |
  curl -s https://api.openai.com/v1/responses --header "Authorization: Bearer $OPENAI_API_KEY" \\
    --header "Content-Type: application/json" --data @-
""",
    "litellm": """
litellm.completion(model=MODEL, messages=MESSAGES, prompt_cache_retention="24h")
""",
}
_TWELVE_HOURS = {
    "python": """
client.responses.create(model=MODEL, input=INPUT, prompt_cache_options={"ttl": "12h"})
""",
    "node": """
await client.responses.create({ model: MODEL, input: INPUT, prompt_cache_options: { ttl: "12h" } });
""",
    "http": """
jq '.prompt_cache_options.ttl = "12h"' body.json |
  curl -s https://api.openai.com/v1/responses --header "Authorization: Bearer $OPENAI_API_KEY" \\
    --header "Content-Type: application/json" --data @-
""",
    "litellm": """
litellm.responses(model=MODEL, input=INPUT, extra_body={"prompt_cache_options": {"ttl": "12h"}})
""",
}
_WARM_CALL = {
    "python": """
first, *rest = jobs
async with await client.responses.create(model=MODEL, input=prompt(first), stream=True) as stream:
    events = aiter(stream)
    await anext(events)  # the prefix has been read: the others may start
    results = await asyncio.gather(
        *(client.responses.create(model=MODEL, input=prompt(job)) for job in rest)
    )
    async for event in events:
        ...  # the rest of the first answer
# GPT-5.6 and later, without an answer of its own:
await client.responses.create(model=MODEL, input=STATIC_INPUT, prompt_cache_options={"prewarm": True})
""",
    "node": """
const [first, ...rest] = jobs;
const head = await client.responses.create({ model: MODEL, input: prompt(first) });
const others = await Promise.all(
  rest.map((job) => client.responses.create({ model: MODEL, input: prompt(job) })),
);
// # GPT-5.6 and later, without an answer of its own: prompt_cache_options: { prewarm: true }
""",
    "http": """
post() { curl -s https://api.openai.com/v1/responses --header "Authorization: Bearer $OPENAI_API_KEY" \\
  --header "Content-Type: application/json" --data @"$1" > "$1.answer"; }
set -- job-*.json
post "$1"; shift  # the first one alone
for job in "$@"; do post "$job" & done; wait
""",
    "litellm": """
first, *rest = jobs
await litellm.acompletion(model=MODEL, messages=prompt(first))
await asyncio.gather(*(litellm.acompletion(model=MODEL, messages=prompt(job)) for job in rest))
""",
}
CODE: dict[str, dict[str, str]] = {
    "stable-key": _KEY,
    "breakpoint-after-static": _BREAKPOINT,
    "breakpoint-per-rate": _BREAKPOINT,
    "last-breakpoint": _BREAKPOINT,
    "explicit-only": _EXPLICIT_ONLY,
    "caching-off": _OFF,
    "retention-24h": _RETENTION,
    "lifetime-12h": _TWELVE_HOURS,
    "warm-call": _WARM_CALL,
    "fan-out-race": _WARM_CALL,
}
