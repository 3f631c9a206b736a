import { ActionIcon } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { type ConsoleLanguage, localeOf, useLanguage } from '../../lib/i18n.ts'
import { formatDate } from '../../lib/text/format.ts'
import { formatDay, formatMonth } from '../../lib/text/format-time.ts'
import { dayAfter, monthAfter, weeksOf } from '../../lib/time/calendar-days.ts'
import { useTimeZone } from '../../lib/time/time-zone.ts'
import { Icon } from '../display/icon.tsx'
import classes from './calendar.module.css'
import { useDateMessages } from './messages.ts'

interface CalendarProps {
  /** The chosen days as `2026-11-20`: one, or the first and the last one of a range. */
  first: string | undefined
  last: string | undefined
  onPick: (day: string) => void
}

const firstWeekdayOf = (language: ConsoleLanguage): number => (language === 'ja' || language === 'zh-TW' ? 0 : 1)

const momentOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000

/** By how many days a key moves on; months are others. */
const daysOfKey = new Map([
  ['ArrowLeft', -1],
  ['ArrowRight', 1],
  ['ArrowUp', -7],
  ['ArrowDown', 7],
])

const monthsOfKey = new Map([
  ['PageUp', -1],
  ['PageDown', 1],
])

/** A month of days. Arrow keys move by days and weeks, page keys by months. */
export const Calendar = ({ first, last, onPick }: CalendarProps) => {
  const say = useDateMessages()
  const language = useLanguage()
  const today = formatDate(Date.now() / 1000, useTimeZone())
  const [current, setCurrent] = useState(last ?? first ?? today)
  const grid = useRef<HTMLTableElement>(null)
  const moved = useRef(false)
  const month = current.slice(0, 7)
  const weeks = weeksOf(month, firstWeekdayOf(language))
  const utc = { language, zone: 'UTC' }
  const weekday = new Intl.DateTimeFormat(localeOf(language), { weekday: 'narrow', timeZone: 'UTC' })
  const longWeekday = new Intl.DateTimeFormat(localeOf(language), { weekday: 'long', timeZone: 'UTC' })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows the day.
  useEffect(() => {
    if (moved.current) grid.current?.querySelector<HTMLButtonElement>('[tabindex="0"]')?.focus()
    moved.current = false
  }, [current])
  const onKeyDown = (event: KeyboardEvent): void => {
    const days = daysOfKey.get(event.key)
    const months = monthsOfKey.get(event.key)
    if (days === undefined && months === undefined) return
    event.preventDefault()
    moved.current = true
    setCurrent(days === undefined ? `${monthAfter(month, months ?? 0)}-01` : dayAfter(current, days))
  }
  const turn = (months: number): void => setCurrent(`${monthAfter(month, months)}-01`)
  const isWithin = (day: string): boolean => first !== undefined && last !== undefined && day > first && day < last
  return (
    <div className={classes.calendar}>
      <div className={classes.head}>
        <ActionIcon size={32} aria-label={say('before')} onClick={() => turn(-1)}>
          <Icon name="left" size={14} />
        </ActionIcon>
        <strong className="strong" aria-live="polite">
          {formatMonth(momentOf(current), utc)}
        </strong>
        <ActionIcon size={32} aria-label={say('after')} onClick={() => turn(1)}>
          <Icon name="right" size={14} />
        </ActionIcon>
      </div>
      <table ref={grid} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day} scope="col" abbr={longWeekday.format(new Date(day))}>
                {weekday.format(new Date(day))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day} data-within={isWithin(day) || undefined}>
                  <button
                    type="button"
                    className="num"
                    tabIndex={day === current ? 0 : -1}
                    aria-label={formatDay(momentOf(day), utc)}
                    aria-pressed={day === first || day === last}
                    {...(day === today ? { 'aria-current': 'date' as const } : {})}
                    data-other={!day.startsWith(month) || undefined}
                    onClick={() => {
                      setCurrent(day)
                      onPick(day)
                    }}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
