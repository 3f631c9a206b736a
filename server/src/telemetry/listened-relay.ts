import type { Asking, Channels, Recorder } from '../relay/ports.ts'
import type { CallListener } from './call-listener.ts'

/** The same recorder, which tells the listener of each failure; charges are told by `onCharged` of the relay, once they stand. */
export const listenedRecorder = (recorder: Recorder, listener: CallListener | undefined): Recorder => {
  if (listener === undefined) return recorder
  return {
    ...recorder,
    fail(record) {
      listener.callRecorded(record)
      return recorder.fail(record)
    },
  }
}

/** The same channels, which tell the listener of each attempt. */
export const listenedChannels = <C extends Channels>(channels: C, listener: CallListener | undefined): C => {
  if (listener === undefined) return channels
  return {
    ...channels,
    report(channel, failure, key, model, tookMs = 0, firstContentMs = -1, asking?: Asking) {
      channels.report(channel, failure, key, model, tookMs, firstContentMs, asking)
      if (model !== undefined) listener.attemptEnded({ channel, failure, model, tookMs, firstContentMs })
    },
  }
}
