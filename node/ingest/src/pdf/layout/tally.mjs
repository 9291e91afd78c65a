/** Counts things and knows the most frequent one. */
export class Tally {
  /** @type {Map<any, number>} */
  #counts = new Map();
  total = 0;

  /**
   * @param {string | number} key
   * @param {number} count
   */
  add(key, count) {
    this.#counts.set(key, this.get(key) + count);
    this.total += count;
  }

  /** @param {string | number} key */
  get(key) {
    return this.#counts.get(key) ?? 0;
  }

  /** @returns {any} */
  most() {
    let best;
    let most = 0;
    for (const [key, count] of this.#counts) {
      if (count > most) [best, most] = [key, count];
    }
    return best;
  }

  /** The least number that is at least half as frequent as the most frequent one. */
  least() {
    const most = this.get(this.most());
    return Math.min(...[...this.#counts].flatMap(([key, count]) => (2 * count >= most ? key : [])));
  }
}
