import type { CallFacts, Client, RelayCall } from './call.ts'
import type { CallCapture } from './call-capture.ts'
import { failureText } from './captures.ts'
import type { CallFailure } from './failure.ts'
import { openUnsetMarks } from './holds/channel-marks.ts'
import { grantedHold, payerOf, withoutBalance } from './holds/granted-hold.ts'
import { createHoldPlacer } from './holds/place-hold.ts'
import { openUsualOutput } from './holds/usual-output.ts'
import type { Caller } from './ports.ts'
import { recordFailure } from './records/record-failure.ts'
import { RelayedCall } from './relayed-call.ts'
import type { Print, RelayedCallParts, RelayParts } from './relayed-call-parts.ts'
import { openFirstContentWatch } from './stream/first-content.ts'
import { openKeepAlive } from './stream/keep-alive.ts'
import { openSlots } from './upstream/slots.ts'
import { withHold } from './with-hold.ts'

export interface Relay {
  /**
   * Answers a call over HTTP. Returns a failure that must still be sent to the client, as an answer or, in a stream that has begun, as
   * an event. The call has then been settled or released and recorded: it must not be recorded again. `print` renders a failure for the
   * client; it is called before a charge.
   */
  answer(call: RelayCall, client: Client, print?: (failure: CallFailure) => string): Promise<CallFailure | undefined>
  /**
   * Checks that the caller has quota left; synchronous where one node keeps the balances. Throws AppError: `insufficient_user_quota`,
   * `pre_consume_token_quota_failed`.
   */
  assertCanPay(caller: Caller): void | Promise<void>
  /** Records a call that was refused after its caller was known. */
  refuse(facts: CallFacts, failure: CallFailure): Promise<void>
}

export const createRelay = (relayParts: RelayParts): Relay => {
  const { holds, counter, keepAliveMs } = relayParts
  const placer = createHoldPlacer({
    holds,
    counter,
    usual: openUsualOutput(),
    unsetMarks: openUnsetMarks(relayParts.channels),
  })
  const parts: RelayedCallParts = {
    ...relayParts,
    keepAlive: openKeepAlive(keepAliveMs),
    firstContentWatch: openFirstContentWatch(),
    slots: openSlots(),
    placer,
  }
  const inspected = async (
    call: RelayCall & { readonly capture: CallCapture },
    client: Client,
    print: Print | undefined,
  ): Promise<CallFailure | undefined> => {
    const { capture } = call
    const failure = await withHold(new RelayedCall(call, capture.tap(client), print, parts), parts)
    capture.ended(failure && failureText(failure, print))
    return failure
  }

  return {
    answer(call, client, print) {
      const capture = call.capture ?? parts.captures?.current?.open(call)
      if (capture === undefined) return withHold(new RelayedCall(call, client, print, parts), parts)
      return inspected({ ...call, capture }, client, print)
    },

    assertCanPay(caller) {
      const { keyHint } = caller
      const { amounts, freeWithoutBalance } = parts.options()
      // The cost is known only after the body was read.
      const bounds = freeWithoutBalance === true ? withoutBalance : undefined
      const answer = holds.hold({ ...payerOf(caller), amount: 0, ...bounds })
      if (answer instanceof Promise) return answer.then((late) => grantedHold(late, amounts, keyHint).release())
      grantedHold(answer, amounts, keyHint).release()
    },

    refuse: (facts, failure) => recordFailure(facts, failure, {}, parts),
  }
}
