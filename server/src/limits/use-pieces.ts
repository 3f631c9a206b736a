import type { UsedPiece } from './limit-store.ts'

/** Use of one counter by a process in each piece of its window, and the part that the database does not have yet. */
export class UsePieces {
  /** Of all pieces that count. */
  own = 0
  /** Beginning of the piece in which calls are counted now; -1 before the first. */
  at = -1
  /** Of pieces before the present one that still count. */
  private readonly used = new Map<number, number>()
  /** Used in the present piece. */
  private present = 0
  private isPresentUnsaved = false
  private readonly unsaved = new Map<number, number>()

  /** Counts in the present piece; `lasts` where the database keeps it. */
  addNow(use: number, lasts: boolean): void {
    this.own += use
    this.present += use
    this.isPresentUnsaved = lasts
  }

  /** Counts in a piece before the present one. */
  addTo(at: number, use: number): void {
    this.own += use
    const sum = (this.used.get(at) ?? 0) + use
    this.used.set(at, sum)
    this.unsaved.set(at, sum)
  }

  /** Forgets the latest unit that was used, where there is one. */
  takeBack(): void {
    if (this.own === 0) return
    if (this.present > 0) {
      this.present -= 1
      // A piece in which nothing is left is sent to the store as well.
      if (this.present === 0) this.used.set(this.at, 0)
    } else {
      const last = [...this.used].filter(([, use]) => use > 0).toSorted(([one], [other]) => other - one)[0]
      if (last === undefined) return
      this.used.set(last[0], last[1] - 1)
    }
    this.own -= 1
  }

  /** Begins another piece; the present one becomes one of those before. */
  begin(at: number): void {
    if (this.present > 0) {
      this.used.set(this.at, this.present)
      if (this.isPresentUnsaved) this.unsaved.set(this.at, this.present)
      this.isPresentUnsaved = false
      this.present = 0
    }
    this.at = at
  }

  /** Removes pieces outside the window; returns the use in them. */
  dropBefore(since: number): number {
    let gone = 0
    for (const [piece, use] of this.used) {
      if (piece >= since) continue
      this.used.delete(piece)
      gone += use
    }
    this.own -= gone
    return gone
  }

  /** The window has ended: all of its use is dropped. */
  clear(): void {
    this.used.clear()
    this.own = 0
  }

  /** The pieces inside the window with their use. */
  get pieces(): readonly UsedPiece[] {
    return this.present === 0 ? [...this.used] : [...this.used, [this.at, this.present]]
  }

  /** Sums the pieces that are inside the window. */
  stillCounted(pieces: readonly UsedPiece[]): number {
    return pieces.reduce((sum, [at, use]) => (at === this.at || this.used.has(at) ? sum + use : sum), 0)
  }

  /** Beginning of the latest piece in which something was used; undefined for none. */
  get latest(): number | undefined {
    if (this.present > 0) return this.at
    let last: number | undefined
    for (const at of this.used.keys()) last = Math.max(last ?? 0, at)
    return last
  }

  /** True where the database knows everything. */
  get isSaved(): boolean {
    return this.unsaved.size === 0 && !this.isPresentUnsaved
  }

  /** Takes the use that is not in the database yet; each is taken once. */
  takeUnsaved(): readonly UsedPiece[] {
    if (this.isPresentUnsaved) this.unsaved.set(this.at, this.present)
    this.isPresentUnsaved = false
    if (this.unsaved.size === 0) return []
    const rows = [...this.unsaved]
    this.unsaved.clear()
    return rows
  }

  /** The database did not take them. */
  giveBackUnsaved(rows: readonly UsedPiece[]): void {
    for (const [at, use] of rows) if ((this.unsaved.get(at) ?? 0) < use) this.unsaved.set(at, use)
  }
}
