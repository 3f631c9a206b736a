import { noUsage } from '../../billing/usage.ts'
import type { Answered, Used } from '../exchange/exchange.ts'
import type { RelayChannel } from '../ports.ts'

const note = '，上游在产生输出前拒绝，不计费'

/**
 * Usage of a refusal before any output at a provider that does not charge for it: the stated usage, marked as free. undefined for all
 * other answers.
 */
export const freeRefusal = ({ answer }: Answered, channel: RelayChannel | undefined): Used | undefined =>
  channel?.provider.freesRefusals === true && answer.refusedAtOnce?.() === true
    ? { usage: answer.usage() ?? noUsage, estimated: false, note, free: true }
    : undefined
