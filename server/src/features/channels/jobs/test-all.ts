import { channelStatus } from '@tollgate/contract'
import { AppError } from '../../../lib/app-error.ts'
import { ownCause } from '../../../lib/json/stored-error.ts'
import type { ChannelDirectory } from '../directory.ts'
import type { ChannelKeys } from '../keys/keys.ts'
import { failureProblem, problemOf } from '../reasons.ts'
import type { ChannelName } from '../store.ts'
import type { Done } from './job.ts'
import type { ChannelTestResult, TestChannel, Tester } from './test-run.ts'

/** Options about channels that fail or recover. */
export interface HealthRules {
  /** `AutomaticDisableChannelEnabled` */
  readonly disables: boolean
  /** `AutomaticEnableChannelEnabled` */
  readonly enables: boolean
  /** `ChannelDisableThreshold` in seconds; 0 for none. */
  readonly slowest: number
}

export interface TestAllParts {
  readonly test: TestChannel
  readonly keys: Pick<ChannelKeys, 'switchedOff' | 'switchOn' | 'anyOn'>
  readonly directory: Pick<ChannelDirectory, 'snapshot' | 'report' | 'disable'>
  rules(): HealthRules
  /** Switches a channel on that the gateway had switched off; false when it was not in that state any more. */
  enable(channel: ChannelName): Promise<boolean>
}

const seconds = (value: number): string => value.toFixed(2)

/**
 * Tests one channel by its default model and draws the conclusions: what fails for good or is too
 * slow goes off, what the gateway had switched off comes back. Slowness counts as a failure like any other: it disables only
 * where automatic disabling is on and the channel allows it.
 */
export const createChannelCheck = (parts: TestAllParts): ((channel: ChannelName, tester: Tester) => Promise<Done>) => {
  const isOn = (id: number): boolean => parts.directory.snapshot().byId(id)?.enabled === true

  /** Of several keys, those that the gateway had switched off are tried one by one. Answers how many came back. */
  const reviveKeys = async ({ id }: ChannelName, tester: Tester): Promise<number> => {
    if (!parts.rules().enables) return 0
    let revived = 0
    for (const { key, hash } of await parts.keys.switchedOff(id)) {
      const { failure } = await parts.test(id, { key }, tester)
      if (!failure && (await parts.keys.switchOn(id, hash))) revived += 1
    }
    return revived
  }

  const judge = async (channel: ChannelName, result: ChannelTestResult): Promise<Done> => {
    const { disables, enables, slowest } = parts.rules()
    const { failure, time } = result
    const wasOn = isOn(channel.id)
    if (failure) {
      parts.directory.report(result.channel, failure, result.channel.keys[0])
      return { problem: failureProblem(failure), disabled: wasOn && !isOn(channel.id) }
    }
    if (slowest > 0 && time > slowest) {
      const { text, ...fields } = ownCause('channel_too_slow', { seconds: seconds(time), limit: seconds(slowest) })
      const mayDisable = wasOn && disables && result.channel.autoBan
      const disabled = mayDisable && parts.directory.disable(result.channel, { text, ...fields })
      return { problem: { reason: text, ...fields }, disabled }
    }
    // Of a channel without an enabled key any is tested: a working key stays disabled if an admin disabled it.
    const comesBack = enables && channel.status === channelStatus.autoDisabled && (await parts.keys.anyOn(channel.id))
    return { enabled: comesBack && (await parts.enable(channel)) }
  }

  return async (channel, tester) => {
    try {
      const revived = await reviveKeys(channel, tester)
      if (revived > 0 && channel.status === channelStatus.autoDisabled) return { enabled: await parts.enable(channel) }
      return await judge(channel, await parts.test(channel.id, {}, tester))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      // Nothing to test (a channel that cannot relay, or is gone meanwhile) says nothing about its health.
      return { problem: problemOf(error) }
    }
  }
}
