import type {Page} from 'playwright-core';

/** What stands on a canvas: its pixels have no words, what was asked of it has. */
export interface Drawing {
  /** `left` is where the text begins, in pixels of the canvas: what is below zero is cut. */
  readonly labels: readonly {readonly text: string; readonly left: number}[];
  /** Filled with a colour that one can see through. */
  readonly areas: number;
  readonly dashed: number;
}

/** Notes what is drawn in every document that the page opens from now on. */
export async function recordDrawings(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const scope = globalThis as unknown as {CanvasRenderingContext2D: {prototype: Context}; drawing: Recorded};
    const {prototype} = scope.CanvasRenderingContext2D;
    const {clearRect, fillText, fill, stroke} = prototype;
    const fresh = (): Recorded => ({labels: [], areas: 0, dashed: 0});
    scope.drawing = fresh();
    prototype.clearRect = function (...rest) {
      scope.drawing = fresh();
      clearRect.apply(this, rest);
    };
    prototype.fillText = function (text, x, ...rest) {
      const {width} = this.measureText(text);
      const before = {right: width, end: width, center: width / 2}[this.textAlign] ?? 0;
      scope.drawing.labels.push({text, left: x - before});
      fillText.call(this, text, x, ...rest);
    };
    prototype.fill = function (...rest) {
      if (this.fillStyle.startsWith('rgba')) scope.drawing.areas++;
      fill.apply(this, rest);
    };
    prototype.stroke = function (...rest) {
      if (this.getLineDash().length > 0) scope.drawing.dashed++;
      stroke.apply(this, rest);
    };
  });
}

/** The newest drawing of the page, once there is one. */
export async function drawingOf(page: Page): Promise<Drawing> {
  const drawn = await page.waitForFunction(() => {
    const {drawing} = globalThis as unknown as {drawing: Recorded};
    return drawing.labels.length > 0 && drawing;
  });
  return (await drawn.jsonValue()) as Drawing;
}

interface Recorded {
  readonly labels: {text: string; left: number}[];
  areas: number;
  dashed: number;
}

interface Context {
  readonly fillStyle: string;
  readonly textAlign: string;
  measureText(text: string): {readonly width: number};
  getLineDash(): readonly number[];
  clearRect(...rest: unknown[]): void;
  fillText(text: string, x: number, ...rest: unknown[]): void;
  fill(...rest: unknown[]): void;
  stroke(...rest: unknown[]): void;
}
