import { type StatedCost, sumOfStated } from '../../billing/stated/stated-costs.ts'
import type { Usage } from '../../billing/usage.ts'

/** What the turns of a session say that they cost, added up. */
export class StatedTurns {
  private sum: StatedCost | undefined
  private isPartial = false

  note({ stated }: Pick<Usage, 'stated'>): void {
    if (stated === undefined) this.isPartial = true
    else this.sum = this.sum === undefined ? stated : sumOfStated(this.sum, stated)
  }

  /** undefined where a turn says nothing: then nobody knows the whole. */
  get whole(): StatedCost | undefined {
    return this.isPartial ? undefined : this.sum
  }
}
