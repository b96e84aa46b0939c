import type { KeyboardEvent, PointerEvent } from "react";
import { useRef } from "react";

export interface IndexRange {
  /** Both ends belong to the range; `from` may stand after `to` while it is being drawn. */
  from: number;
  to: number;
}

interface PickerProps {
  /** What is picked: "Hours by load". */
  label: string;
  count: number;
  /** The picked place, or null when nothing of this chart is picked. */
  index: number | null;
  /** The picked place in words, with its raw numbers. */
  words: string;
  /** Which place is at these pixels of the drawing, or null where there is none. */
  locate: (x: number, y: number) => number | null;
  onPick: (index: number | null) => void;
  /** How many places the up and down arrows move; one when left out. */
  stride?: number;
  /** Present when a range can be chosen by dragging, or by Shift with the arrows and then Enter. */
  range?: IndexRange | null;
  onRange?: (range: IndexRange | null, done: boolean) => void;
}

/**
 * The part of a chart that takes pointer and keyboard: one tab stop over the drawing, arrows move through its
 * places. A slider, so that a screen reader reads the numbers of each place as it is reached.
 */
export function Picker(props: PickerProps) {
  const { label, count, index, words, locate, onPick, onRange } = props;
  const pressedAt = useRef<number | null>(null);
  const placeUnder = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    return locate(event.clientX - box.left, event.clientY - box.top);
  };
  const move = (event: PointerEvent<HTMLElement>) => {
    const place = placeUnder(event);
    onPick(place);
    const pressed = pressedAt.current;
    if (onRange && pressed !== null && place !== null && place !== pressed) onRange({ from: pressed, to: place }, false);
  };
  const press = (event: PointerEvent<HTMLElement>) => {
    const place = placeUnder(event);
    onPick(place);
    if (!onRange || event.button !== 0) return;
    pressedAt.current = place;
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const release = (event: PointerEvent<HTMLElement>) => {
    const pressed = pressedAt.current;
    const place = placeUnder(event);
    pressedAt.current = null;
    if (onRange && pressed !== null && place !== null && place !== pressed) onRange({ from: pressed, to: place }, true);
  };
  return (
    <div
      className={onRange ? "picker ranged" : "picker"}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={1}
      aria-valuemax={Math.max(count, 1)}
      aria-valuenow={(index ?? 0) + 1}
      aria-valuetext={words}
      onPointerMove={move}
      onPointerDown={press}
      onPointerUp={release}
      onPointerLeave={() => pressedAt.current === null && onPick(null)}
      onPointerCancel={() => (pressedAt.current = null)}
      onFocus={(event) => index === null && isByKeyboard(event.currentTarget) && onPick(count > 0 ? 0 : null)}
      onBlur={() => onPick(null)}
      onKeyDown={(event) => pickByKey(event, props)}
    />
  );
}

function isByKeyboard(element: HTMLElement): boolean {
  return element.matches(":focus-visible");
}

const PAGE = 24;

function keyMoves(count: number, stride: number): Record<string, (index: number) => number> {
  return {
    ArrowRight: (index) => index + 1,
    ArrowLeft: (index) => index - 1,
    ArrowDown: (index) => index + stride,
    ArrowUp: (index) => index - stride,
    PageDown: (index) => index + PAGE,
    PageUp: (index) => index - PAGE,
    Home: () => 0,
    End: () => count - 1,
  };
}

function pickByKey(event: KeyboardEvent<HTMLElement>, props: PickerProps): void {
  const { count, index, stride = 1, range = null, onPick, onRange } = props;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const move = keyMoves(count, stride)[event.key];
  if (move && count > 0) {
    event.preventDefault();
    const next = index === null ? 0 : Math.min(Math.max(move(index), 0), count - 1);
    onPick(next);
    if (onRange) onRange(event.shiftKey ? { from: range?.from ?? index ?? next, to: next } : null, false);
  } else if (event.key === "Enter" && onRange && range) {
    event.preventDefault();
    onRange(range, true);
  } else if (event.key === "Escape") {
    onPick(null);
    onRange?.(null, false);
  }
}
