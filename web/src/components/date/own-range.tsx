import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { TimeRange } from '../../lib/time/time-range.ts'
import { useTimeZone, zoneName } from '../../lib/time/time-zone.ts'
import { printPicked, readPicked } from '../../lib/time/written-moment.ts'
import classes from './calendar.module.css'
import { Calendar } from './calendar.tsx'
import { useDateMessages } from './messages.ts'

const dayOf = (text: string): string | undefined => /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0]

/** A range of one's own: two days of the calendar, or two moments that are typed; an empty one is open. */
export const OwnRange = ({ range, onApply }: { range: TimeRange; onApply: (range: TimeRange) => void }) => {
  const say = useDateMessages()
  const zone = useTimeZone()
  const print = (at: number | undefined): string => (at === undefined ? '' : printPicked(at, zone))
  const [ends, setEnds] = useState({ from: print(range.from), to: print(range.to) })
  const [refused, setRefused] = useState(false)
  // The first day that is picked begins a new range, the second one ends it.
  const [picking, setPicking] = useState<string>()
  const isWrong = (text: string): boolean => refused && text.trim() !== '' && readPicked(text, zone) === undefined
  const pick = (day: string): void => {
    if (picking === undefined) {
      setPicking(day)
      setEnds({ from: `${day} 00:00`, to: `${day} 23:59` })
      return
    }
    const [first, last] = day < picking ? [day, picking] : [picking, day]
    setPicking(undefined)
    setEnds({ from: `${first} 00:00`, to: `${last} 23:59` })
  }
  const apply = (event: FormEvent): void => {
    event.preventDefault()
    const texts = [ends.from, ends.to]
    const [from, to] = texts.map((text) => readPicked(text, zone))
    if (texts.some((text, index) => text.trim() !== '' && [from, to][index] === undefined)) setRefused(true)
    else onApply({ from, to })
  }
  const field = (end: 'from' | 'to') => (
    <TextInput
      label={say(end)}
      classNames={{ input: 'num' }}
      value={ends[end]}
      error={isWrong(ends[end]) && say('format')}
      onChange={(event) => setEnds({ ...ends, [end]: event.currentTarget.value })}
    />
  )
  return (
    <form className={classes.range} onSubmit={apply} noValidate>
      <Calendar first={dayOf(ends.from)} last={dayOf(ends.to)} onPick={pick} />
      <div className={classes.ends}>
        {field('from')}
        {field('to')}
      </div>
      <p className="faint">{say('zone', { zone: zoneName(zone) })}</p>
      <Button type="submit" variant="filled">
        {say('apply')}
      </Button>
    </form>
  )
}
