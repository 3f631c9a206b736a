/** Milliseconds of silence that a stream may have; 0 for no limit. */
export interface StreamPatience {
  /** From the request until the first content, regardless of earlier heads, comments or empty chunks. */
  readonly firstContent: number
  /** Between two chunks once there is content. */
  readonly idle: number
}

/** A stream that is watched. */
export interface WatchedStream {
  readonly patience: StreamPatience
  /** Set with every chunk; the watch clears it. */
  heard: boolean
  /** True while reading is paused, so that silence is not the upstream's. */
  readonly isHeldUp: boolean
  /** True once content has arrived. Called rarely: it may have to parse chunks that were only forwarded. */
  readonly hasContent: boolean
  /** False until the head has arrived: before that, the timeouts of the connection apply. */
  readonly hasHead: boolean
  /** False for an answer that arrives whole although a stream was requested. */
  readonly isForwarding: boolean
  tooSilent(why: 'no_content' | 'stopped'): void
}

export interface FirstContentWatch {
  /** Watches a stream from the time when its request is sent, until the returned function is called. */
  watch(stream: WatchedStream): () => void
}

interface Entry {
  readonly sentAt: number
  heardAt: number
  hasContent: boolean
}

/** Milliseconds by which limits may be late, about the precision of undici. */
const tickMs = 500

/**
 * Opens a watch with one timer for all streams: a chunk costs the stream a mark, and nothing is parsed before a stream has been silent
 * for `idle`.
 */
export const openFirstContentWatch = (clock: () => number = () => performance.now()): FirstContentWatch => {
  const streams = new Map<WatchedStream, Entry>()
  let timer: NodeJS.Timeout | undefined
  const judge = (stream: WatchedStream, entry: Entry, now: number): void => {
    if (stream.heard || stream.isHeldUp) {
      stream.heard = false
      entry.heardAt = now
    }
    const { firstContent, idle } = stream.patience
    const waited = now - entry.sentAt
    const silent = now - entry.heardAt
    const mayBeLate = firstContent > 0 && waited >= firstContent
    const mayHaveStopped = idle > 0 && silent >= idle
    if (!stream.hasHead || (!mayBeLate && !mayHaveStopped)) return
    if (!stream.isForwarding) {
      // A whole answer may pause as long as it may take to begin.
      if (silent >= Math.max(firstContent, idle)) stream.tooSilent('stopped')
      return
    }
    entry.hasContent ||= stream.hasContent
    if (entry.hasContent && mayHaveStopped) stream.tooSilent('stopped')
    else if (!entry.hasContent && mayBeLate && !stream.isHeldUp) stream.tooSilent('no_content')
  }

  const tick = (): void => {
    timer = undefined
    const now = clock()
    for (const [stream, entry] of streams) judge(stream, entry, now)
    arm()
  }

  const arm = (): void => {
    if (timer !== undefined || streams.size === 0) return
    timer = setTimeout(tick, tickMs)
    timer.unref()
  }

  return {
    watch(stream) {
      const now = clock()
      streams.set(stream, { sentAt: now, heardAt: now, hasContent: false })
      arm()
      return () => {
        streams.delete(stream)
        if (streams.size > 0) return
        clearTimeout(timer)
        timer = undefined
      }
    },
  }
}
