import type { Price } from '../../billing/price.ts'
import { reservation } from '../../billing/reserve.ts'
import { completionTokens, type Usage } from '../../billing/usage.ts'
import type { RelayCall } from '../call.ts'
import type { Hold, HoldAnswer, HoldRequest, Holds, RelayOptions, TokenCounter } from '../ports.ts'
import { type ExpectedCall, expectedCall, type UsualOutput } from './expected-call.ts'
import { grantedHold, refusedHold } from './granted-hold.ts'
import { countPrompt, type PromptBounds, promptBounds } from './prompt-bounds.ts'

export interface PlaceHoldParts {
  readonly holds: Holds
  readonly counter: TokenCounter
  readonly usual: UsualOutput
}

/** A call that may begin, and what was reserved for it. */
export interface HeldCall {
  readonly hold: Hold
  readonly request: HoldRequest
  readonly expected: ExpectedCall
}

/** A call before it is known what can be held for it. */
interface Wanted {
  readonly call: RelayCall
  readonly price: Price
  readonly options: RelayOptions
  readonly bounds: PromptBounds
  /** With the upper bound of the prompt. */
  readonly expected: ExpectedCall
  readonly request: HoldRequest
}

export interface HoldPlacer {
  /**
   * Reserves what a call may cost. Where the balance is ample the prompt counts as one token per byte, at once; where it is
   * not, the model's tokenizer is asked, off the main thread. Throws AppError where the call cannot be paid for.
   */
  place(call: RelayCall, price: Price, options: RelayOptions): HeldCall | Promise<HeldCall>
  /** Takes note of how long an answer was, where the client set no maximum. */
  learn(call: RelayCall, held: HeldCall, usage: Usage): void
}

/** A bound is held in place of the count where so many times as much is available, so that other calls do not miss the rest. */
const ample = 4

const quickBytesPerToken = 4

const granted = ({ request, expected }: Pick<Wanted, 'request' | 'expected'>, hold: Hold): HeldCall => ({
  hold,
  request,
  expected,
})

export const createHoldPlacer = ({ holds, counter, usual }: PlaceHoldParts): HoldPlacer => {
  /** What is held for the prompt as it is, where the bound could not be held. */
  const placeCounted = async (
    { call, price, options, bounds, expected, request }: Wanted,
    answer: HoldAnswer,
  ): Promise<HeldCall> => {
    if (answer.kind === 'held') return granted({ request, expected }, answer.hold)
    const { amounts, overdraft } = options
    const amountOf = (promptTokens: number): number => reservation({ ...expected, promptTokens }, price)
    const least = amountOf(bounds.atLeast)
    // Refused without a count: a key without money must not keep the tokenizer busy.
    if (answer.remain <= 0 || answer.remain + overdraft < least) {
      const need = Math.max(least, amountOf(Math.ceil(bounds.atMost / quickBytesPerToken)))
      throw refusedHold({ ...answer, need }, amounts, call.caller.keyHint)
    }
    const counts = least !== request.amount
    const promptTokens = counts ? Math.min(bounds.atMost, await countPrompt(call, counter)) : bounds.atMost
    const exact = { ...request, amount: counts ? amountOf(promptTokens) : least, spare: -overdraft }
    const hold = grantedHold(await holds.hold(exact), amounts, call.caller.keyHint)
    return granted({ request: exact, expected: { ...expected, promptTokens } }, hold)
  }

  return {
    place(call, price, options) {
      const bounds = promptBounds(call)
      const expected = expectedCall(call, options, usual, bounds.atMost)
      const { userId, tokenId, tokenUnlimited } = call.caller
      const amount = reservation(expected, price)
      const spare = amount * (ample - 1) - options.overdraft
      const request = { userId, tokenId, tokenUnlimited, amount, spare }
      const answer = holds.hold(request)
      if (!(answer instanceof Promise) && answer.kind === 'held') return granted({ request, expected }, answer.hold)
      const wanted = { call, price, options, bounds, expected, request }
      return answer instanceof Promise
        ? answer.then((late) => placeCounted(wanted, late))
        : placeCounted(wanted, answer)
    },

    learn({ model }, { expected }, usage) {
      const tokens = completionTokens(usage)
      if (expected.unbounded && tokens > 0) usual.learn(model, tokens / expected.answers)
    },
  }
}
