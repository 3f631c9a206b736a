import type { RelayLimits } from '../../../src/relay/exchange/exchange.ts'

type Timeouts = RelayLimits['timeouts']

/** No upstream of a test is late on a busy machine. */
export const patientTimeouts: Timeouts = { connect: 60_000, firstByte: 60_000, streamIdle: 60_000 }

/** For upstreams that never answer, or never go on. */
export const quickTimeouts: Timeouts = { ...patientTimeouts, firstByte: 400, streamIdle: 400 }
