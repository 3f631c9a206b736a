import { useCallback } from 'react'
import { useLanguage } from '../../../lib/i18n.ts'
import { formatRelative } from '../../../lib/text/format.ts'
import { formatDay, formatMoment, formatRowMoment, formatShortMoment } from '../../../lib/text/format-time.ts'
import { useCurrentMinute } from '../../../lib/time/current-minute.ts'
import { useTimeReader, zoneName } from '../../../lib/time/time-zone.ts'
import { useUiMessages } from '../../messages.ts'
import { Hint } from '../hint.tsx'

/** Writes moments for sentences, in the reader's language and zone; `minutes` leaves out the seconds. */
export const useMomentText = (): ((unixSeconds: number, minutes?: boolean) => string) => {
  const reader = useTimeReader()
  return useCallback((unixSeconds, minutes) => formatMoment(unixSeconds, reader, minutes), [reader])
}

/** Writes days in the reader's language and zone. */
export const useDayText = (): ((unixSeconds: number) => string) => {
  const reader = useTimeReader()
  return useCallback((unixSeconds) => formatDay(unixSeconds, reader), [reader])
}

/** Writes moments without their year, for narrow places: `22 Nov 06:00`. */
export const useShortMomentText = (): ((unixSeconds: number) => string) => {
  const reader = useTimeReader()
  return useCallback((unixSeconds) => formatShortMoment(unixSeconds, reader), [reader])
}

/** Time since a moment; it updates by itself. */
const Ago = ({ at }: { at: number }) => formatRelative(at, useCurrentMinute(), useLanguage())

interface TimeTextProps {
  /** Unix seconds; 0 means never happened, −1 never expires. */
  at: number
  /** Shows how long ago, with the moment on hover; otherwise the other way round. */
  relative?: boolean
  /** For dense lists: moments of today without their date, of this year without their year; the whole is on hover. */
  brief?: boolean
}

/** A moment, or how long ago it was. */
export const TimeText = ({ at, relative = false, brief = false }: TimeTextProps) => {
  const say = useUiMessages()
  const reader = useTimeReader()
  if (at === -1) return <span>{say('never')}</span>
  if (at <= 0) return <span className="faint">{say('none')}</span>
  const moment = formatMoment(at, reader)
  const ago = <Ago at={at} />
  const full = `${moment} ${zoneName(reader.zone)}`
  return (
    <Hint
      label={
        relative || brief ? (
          full
        ) : (
          <>
            {ago} · {zoneName(reader.zone)}
          </>
        )
      }
    >
      <time dateTime={new Date(at * 1000).toISOString()} className="num">
        {relative ? ago : brief ? formatRowMoment(at, reader) : moment}
      </time>
    </Hint>
  )
}
