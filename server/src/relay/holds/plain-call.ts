import { type PlainCall, plainReservation } from '../../billing/compiled-price.ts'
import type { Price } from '../../billing/price.ts'
import { reservation } from '../../billing/reserve.ts'
import type { PlainBody } from '../../dialects/plain/plain-body.ts'
import type { RelayCall } from '../call.ts'
import type { CacheMarks } from './channel-marks.ts'
import type { ExpectedCall, OutsideBody } from './expected-call.ts'

/** Upper estimate of a call of nothing but texts. */
export interface ExpectedPlainCall extends ExpectedCall {
  readonly cached: CacheMarks
}

/**
 * The estimate of `expectedCall` for a call whose body is a plain one, without looking into the body again. That takes the name of a setting in
 * a text, such as "audio" or "cache_control", for the setting, and so may expect more.
 */
export const expectedPlainCall = (
  { raw }: Pick<RelayCall, 'raw'>,
  { maxTokens }: PlainBody,
  { options, usual, marks }: OutsideBody,
): ExpectedPlainCall => {
  return {
    promptTokens: raw.length,
    outputTokens: maxTokens > 0 ? maxTokens : usual.tokens,
    unbounded: maxTokens < 1,
    answers: 1,
    leastTokens: Math.max(0, options.preConsumedTokens),
    calls: 1,
    mayHoldAudio: false,
    cached: marks,
    spoken: false,
    images: undefined,
    pictureTokens: 0,
    tier: usual.tier,
    tools: undefined,
    place: usual.place,
  }
}

/** The `reservation` of a call of texts, in quota units. */
export const plainAmount = (expected: ExpectedPlainCall, price: Price): number => {
  const isUsual = expected.tier === undefined && expected.place === undefined
  return (isUsual ? plainReservation(expected satisfies PlainCall, price) : undefined) ?? reservation(expected, price)
}
