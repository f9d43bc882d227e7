/** Waits until something is there. The limit only turns a hang into a message. */
export async function until<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
  what: string,
): Promise<T> {
  for (let tries = 0; tries < 6000; tries++) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await new Promise(resolve => setTimeout(resolve, 10));
  }
  throw new Error(`waited for ${what}`);
}
