import { Skeleton } from '@mantine/core'
import { useState } from 'react'
import type { TodayCard } from '#web/lib/api/contract.ts'
import { formatInteger } from '#web/lib/text/format.ts'
import { useSearchParams } from '#web/lib/url/search-params.ts'
import { useTodayMessages } from '../messages.ts'
import { Card } from './card.tsx'
import { useCardTexts } from './card-texts.ts'
import classes from './cards.module.css'

/** Cards that are shown at once; further ones are behind a press. */
const mostShown = 7
const waitingCards = 3

/** The shape of some cards while they are read. */
export const CardsWait = () => {
  const say = useTodayMessages()
  return (
    <section className={`panel ${classes.panel}`} aria-label={say('needs')} aria-busy="true">
      <h2>{say('needs')}</h2>
      <ul className={classes.list}>
        {Array.from({ length: waitingCards }, (_, place) => (
          <li key={place} className={classes.card}>
            <Skeleton h={16} w={64} />
            <div className={classes.words}>
              <Skeleton h={18} w="60%" my={1} />
              <Skeleton h={16} w="40%" my={2} />
            </div>
            <Skeleton h={28} w={120} />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface NeedsYouProps {
  readonly cards: readonly TodayCard[]
  /** Cards that the answer left out. */
  readonly more: number
}

/** Cards that need a decision, worst first; snoozed ones are listed on demand. */
export const NeedsYou = ({ cards, more }: NeedsYouProps) => {
  const say = useTodayMessages()
  const textOf = useCardTexts()
  const [{ card: named }] = useSearchParams()
  const [isOpen, setOpen] = useState(false)
  const [showsSnoozed, setShowsSnoozed] = useState(false)
  const awake = cards.filter(({ snoozed_until: until }) => until === 0)
  const snoozed = cards.filter(({ snoozed_until: until }) => until > 0)
  const shown = [
    ...awake.filter(({ id }, place) => isOpen || place < mostShown || id === named),
    ...snoozed.filter(({ id }) => showsSnoozed || id === named),
  ]
  const hidden = awake.length - mostShown
  return (
    <section className={`panel ${classes.panel}`} aria-labelledby="needs-you">
      <h2 id="needs-you">
        {say('needs')} {awake.length > 0 && <small className="num">{formatInteger(awake.length + more)}</small>}
      </h2>
      {awake.length === 0 && (
        <p className={classes.nothing}>
          <b>{say('nothing')}</b> <span className="muted">{say('nothingText')}</span>
        </p>
      )}
      <ul className={classes.list}>
        {shown.map((card) => (
          <Card key={card.id} card={card} text={textOf(card)} isNamed={card.id === named} />
        ))}
      </ul>
      {(hidden > 0 || snoozed.length > 0 || more > 0) && (
        <p className={classes.foot}>
          {hidden > 0 && (
            <button type="button" className="text-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? say('fewer') : say('others', { number: formatInteger(hidden) })}
            </button>
          )}
          {isOpen && more > 0 && <span className="faint">{say('leftOut', { number: formatInteger(more) })}</span>}
          {snoozed.length > 0 && (
            <button
              type="button"
              className="text-button"
              aria-expanded={showsSnoozed}
              onClick={() => setShowsSnoozed(!showsSnoozed)}
            >
              {say('snoozed', { number: formatInteger(snoozed.length) })}
            </button>
          )}
        </p>
      )}
    </section>
  )
}
