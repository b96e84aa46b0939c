export interface LabelBlock {
  /** Where its middle would like to be, and how much height it takes, in pixels. */
  wanted: number;
  height: number;
}

/**
 * Middles for blocks that must not overlap, in the order given: each as near its wish as the others allow,
 * all between `top` and `bottom` when they fit at all.
 */
export function spreadLabels(blocks: readonly LabelBlock[], top: number, bottom: number): number[] {
  const order = blocks.map((_, index) => index).sort((a, b) => at(blocks, a).wanted - at(blocks, b).wanted);
  const middles = blocks.map((block) => block.wanted);
  pushDown(order, blocks, middles, top);
  pullUp(order, blocks, middles, bottom);
  pushDown(order, blocks, middles, top);
  return middles;
}

function pushDown(order: number[], blocks: readonly LabelBlock[], middles: number[], top: number): void {
  let free = top;
  for (const index of order) {
    const half = at(blocks, index).height / 2;
    middles[index] = Math.max(middles[index] ?? 0, free + half);
    free = middles[index] + half;
  }
}

function pullUp(order: number[], blocks: readonly LabelBlock[], middles: number[], bottom: number): void {
  let free = bottom;
  for (const index of order.toReversed()) {
    const half = at(blocks, index).height / 2;
    middles[index] = Math.min(middles[index] ?? 0, free - half);
    free = middles[index] - half;
  }
}

function at(blocks: readonly LabelBlock[], index: number): LabelBlock {
  const block = blocks[index];
  if (block === undefined) throw new RangeError(`no label block ${index}`);
  return block;
}
