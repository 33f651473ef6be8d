import type { Page } from 'playwright-core';

/** A text of a page, and its contrast with what is behind it. */
export interface ShownText {
  readonly text: string;
  /** From 1 to 21 (WCAG 2.2, 1.4.3). */
  readonly ratio: number;
}

/** The texts that a page shows now. */
export async function shownTexts(page: Page): Promise<readonly ShownText[]> {
  return await page.locator('body *').evaluateAll((elements) => {
    const channels = (color: string): number[] => (color.match(/[\d.]+/g) ?? []).map(Number);
    const luminance = (color: string): number => {
      const [red = 0, green = 0, blue = 0] = channels(color).map((channel) => {
        const part = channel / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const shown = elements.filter(
      (element) =>
        element.checkVisibility() &&
        [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim() !== ''),
    );
    return shown.map((element) => {
      const styles = element.ownerDocument.defaultView;
      let at = element;
      while (channels(styles.getComputedStyle(at).backgroundColor)[3] === 0) at = at.parentElement;
      const lights = [styles.getComputedStyle(element).color, styles.getComputedStyle(at).backgroundColor]
        .map(luminance)
        .sort((a, b) => b - a);
      const [lighter = 0, darker = 0] = lights;
      return { text: String(element.textContent), ratio: (lighter + 0.05) / (darker + 0.05) };
    });
  });
}
