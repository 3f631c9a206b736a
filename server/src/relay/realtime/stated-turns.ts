import { type StatedCost, sumOfStated } from '../../billing/stated/stated-costs.ts'
import type { Usage } from '../../billing/usage.ts'

/** Sum of the costs that the turns of a session state. */
export class StatedTurns {
  private sum: StatedCost | undefined
  private isPartial = false

  note({ stated }: Pick<Usage, 'stated'>): void {
    if (stated === undefined) this.isPartial = true
    else this.sum = this.sum === undefined ? stated : sumOfStated(this.sum, stated)
  }

  /** undefined where a turn states no cost, so that the sum is unknown. */
  get whole(): StatedCost | undefined {
    return this.isPartial ? undefined : this.sum
  }
}
