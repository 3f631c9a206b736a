import type { Upstream, UpstreamControl } from '../../upstream/upstream.ts'

/** Answer that a provider's batch has for one line. */
export interface LineAnswer {
  /** Status that the line would have had as a call. */
  readonly status: number
  /** JSON. */
  readonly body: Buffer
}

const control: UpstreamControl = { sent: true, pause: () => {}, resume: () => {}, abort: () => {} }

/** A network that has answered already: whatever is sent gets this answer. */
export const answeredUpstream = ({ status, body }: LineAnswer): Upstream => ({
  send(_, events) {
    // The sender gets its control before its events, as from a network.
    setImmediate(() => {
      events.onHead(status, { 'content-type': 'application/json' })
      events.onData(body)
      events.onEnd()
    })
    return control
  },
  connect() {
    throw new Error('the lines of batches have no sessions')
  },
})
