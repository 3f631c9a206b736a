import { openBatchedLines } from './batches/lines/batch-lines.ts'
import { whateverIsLeft } from './holds/whatever-is-left.ts'
import { openRawCalls } from './raw/raw-call.ts'
import { createRealtime } from './realtime/realtime.ts'
import { createRelay } from './relay.ts'
import { createStoredResponseCalls } from './routing/stored-response-calls.ts'
import { openCountTokens } from './usage/count-tokens.ts'

/** Parts that all kinds of calls together need. */
type RelayCallParts = Parameters<typeof openRawCalls>[0] &
  Parameters<typeof createRelay>[0] &
  Parameters<typeof createRealtime>[0] &
  Parameters<typeof openCountTokens>[0] &
  Parameters<typeof createStoredResponseCalls>[0]

/** Opens the kinds of calls that need nothing beside the parts of the relay. */
export const openRelayCalls = (parts: RelayCallParts) => ({
  rawCalls: openRawCalls(parts),
  relay: createRelay(parts),
  chargedRelay: createRelay({ ...parts, ...whateverIsLeft(parts) }),
  batchLines: openBatchedLines(parts),
  realtime: createRealtime(parts),
  counting: openCountTokens(parts),
  storedResponseCalls: createStoredResponseCalls(parts),
})
