import {
  headerText,
  type Upstream,
  type UpstreamEvents,
  type UpstreamRequest,
} from '../../../relay/upstream/upstream.ts'

/** Latest request of a test, and how it was answered. */
export interface WatchedRequest {
  /** Origin and path. */
  readonly url: string
  /** HTTP status of the answer; 0 while none came. */
  readonly status: number
  /** True if the answer is HTML. */
  readonly isWebPage: boolean
  /** The failure of the network, as it was thrown. */
  readonly error: Error | undefined
}

/** Passes all events on and notes those that say how an address answered. */
const watchedEvents = (events: UpstreamEvents, note: (change: Partial<WatchedRequest>) => void): UpstreamEvents => ({
  onHead(status, headers) {
    note({ status, isWebPage: headerText(headers, 'content-type').toLowerCase().includes('html') })
    events.onHead(status, headers)
  },
  onData: (chunk) => events.onData(chunk),
  onEnd: () => events.onEnd(),
  onError(error) {
    note({ error })
    events.onError(error)
  },
})

/** The same network, with a view of the latest request: what a test asked, and why it was not answered. */
export const watchUpstream = (
  upstream: Upstream,
): { readonly upstream: Upstream; latest(): WatchedRequest | undefined } => {
  let latest: WatchedRequest | undefined
  const begin = ({ origin, path }: Pick<UpstreamRequest, 'origin' | 'path'>): void => {
    latest = { url: `${origin}${path}`, status: 0, isWebPage: false, error: undefined }
  }
  const note = (change: Partial<WatchedRequest>): void => {
    if (latest) latest = { ...latest, ...change }
  }
  return {
    upstream: {
      send(request, events) {
        begin(request)
        return upstream.send(request, watchedEvents(events, note))
      },
      connect: (request, events) => upstream.connect(request, events),
    },
    latest: () => latest,
  }
}
