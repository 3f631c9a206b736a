import type { BodyOf, testUnsavedChannel } from '@tollgate/contract'
import { AppError } from '../../../lib/app-error.ts'
import { unixSeconds } from '../../../lib/clock.ts'
import type { EgressGuard } from '../../../lib/security/egress.ts'
import type { Provider } from '../../../providers/provider.ts'
import type { RelayChannel } from '../../../relay/ports.ts'
import { type ChangeParts, channelChange, newChannel } from '../change.ts'
import { type RelayColumns, toRelayChannel } from '../relay-channel.ts'
import type { ChannelStore } from '../store.ts'
import { keysOf } from '../texts.ts'
import {
  type ChannelTestResult,
  createProbing,
  type ProbingParts,
  type TestAsk,
  type Tester,
  testable,
} from './test-run.ts'

export interface UnsavedTestParts extends ProbingParts, ChangeParts {
  readonly store: Pick<ChannelStore, 'get' | 'relayRows'>
  provider(type: number): Provider | undefined
  /** For addresses that operators typed. */
  readonly egress: Pick<EgressGuard, 'check'>
}

/** A channel as a form has it; with an id, what differs from the stored one. */
interface UnsavedChannel {
  readonly id: number | undefined
  readonly fields: BodyOf<typeof testUnsavedChannel>['channel']
}

/** Throws AppError where the fields could not be saved either; what the upstream says is part of the result. */
export type TestUnsaved = (channel: UnsavedChannel, request: TestAsk, tester: Tester) => Promise<ChannelTestResult>

interface UnsavedRow {
  readonly row: RelayColumns
  readonly testModel: string
}

/** A form without a name can be tested already. */
const nameless = '-'

/** Tests a channel with what is not saved yet: checked, parsed and asked as a saved one, but stored nowhere. */
export const createUnsavedTest = (parts: UnsavedTestParts): TestUnsaved => {
  const probing = createProbing(parts)

  const fresh = (fields: UnsavedChannel['fields'], model: string): UnsavedRow => {
    const { type = 1, key = '', ...given } = fields
    const [first = ''] = keysOf(type, key)
    if (first === '' && parts.typeOf(type)?.key_optional !== true) throw new AppError('channel_key_required')
    const models = given.models?.trim() || model
    const named = { ...given, type, models, name: given.name?.trim() || nameless }
    const row = newChannel(named, first, unixSeconds(parts.clock), parts)
    return { row: { ...row, id: 0, off_keys: [] }, testModel: row.test_model ?? '' }
  }

  const changed = async (id: number, fields: UnsavedChannel['fields']): Promise<UnsavedRow> => {
    const [stored, [relayed]] = await Promise.all([parts.store.get(id), parts.store.relayRows([id])])
    if (!stored || !relayed) throw new AppError('channel_not_found')
    const columns = channelChange(stored, fields, parts)
    const off_keys = columns.key_cipher === undefined ? relayed.off_keys : []
    return { row: { ...relayed, ...columns, off_keys }, testModel: (columns.test_model ?? stored.test_model) || '' }
  }

  const relayChannel = (row: RelayColumns): RelayChannel | undefined => {
    const provider = parts.provider(row.type)
    const digest = (key: string): string => parts.secrets.digest('channel_key', key)
    return provider && toRelayChannel(row, provider, parts.secrets.decrypt('channel_key', row.key_cipher), digest)
  }

  return async ({ id, fields }, request, tester) => {
    const { row, testModel } = id === undefined ? fresh(fields, request.model ?? '') : await changed(id, fields)
    const channel = testable(row.type, relayChannel(row))
    // The network checks what it connects to; asking here first names an address that is not allowed.
    if (URL.canParse(channel.baseUrl)) await parts.egress.check(channel.baseUrl)
    return probing({ channel, testModel }, request, tester)
  }
}
