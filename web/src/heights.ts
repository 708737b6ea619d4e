/** Heights of many rows in one column, some measured and some guessed; where each begins is told in logarithmic time. */
export class Heights {
  private sums: Float64Array;
  private own: Float64Array;

  constructor(
    public count: number,
    private readonly guess: number,
  ) {
    this.own = new Float64Array(count).fill(guess);
    this.sums = this.summed();
  }

  private summed(): Float64Array {
    const sums = new Float64Array(this.count + 1);
    for (let n = 1; n <= this.count; n++) {
      sums[n]! += this.own[n - 1]!;
      const next = n + (n & -n);
      if (next <= this.count) sums[next]! += sums[n]!;
    }
    return sums;
  }

  /** Keep what was measured of the rows that stay, when rows come in at the end or go. */
  resize(count: number): void {
    if (count === this.count) return;
    const own = new Float64Array(count).fill(this.guess);
    own.set(this.own.subarray(0, Math.min(count, this.count)));
    this.own = own;
    this.count = count;
    this.sums = this.summed();
  }

  get(row: number): number {
    return this.own[row] ?? 0;
  }

  set(row: number, height: number): void {
    const more = height - this.get(row);
    if (row < 0 || row >= this.count || more === 0) return;
    this.own[row] = height;
    for (let n = row + 1; n <= this.count; n += n & -n) this.sums[n]! += more;
  }

  /** Where a row begins, in pixels; of the row behind the last, the height of all. */
  top(row: number): number {
    let sum = 0;
    for (let n = Math.min(row, this.count); n > 0; n -= n & -n) sum += this.sums[n]!;
    return sum;
  }

  get whole(): number {
    return this.top(this.count);
  }

  /** The row that stands at a height; the last one below all of them. */
  at(y: number): number {
    let row = 0;
    let step = 1;
    while (step * 2 <= this.count) step *= 2;
    for (let rest = y; step > 0; step >>= 1) {
      const next = row + step;
      if (next <= this.count && this.sums[next]! <= rest) {
        row = next;
        rest -= this.sums[next]!;
      }
    }
    return Math.max(0, Math.min(row, this.count - 1));
  }
}
