import { ActionIcon, Button } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '#web/components/display/icon.tsx'
import { StatusBadge, type Tone } from '#web/components/display/status-badge.tsx'
import { Menu } from '#web/components/menu/menu.tsx'
import type { CardSeverity, TodayCard } from '#web/lib/api/contract.ts'
import { useSession } from '#web/lib/api/session.ts'
import { mayWrite } from '#web/lib/api/staff.ts'
import { textIn, useLanguage } from '#web/lib/i18n.ts'
import { notifyDone } from '#web/lib/notify.tsx'
import { formatMoment } from '#web/lib/text/format-time.ts'
import { useTimeReader } from '#web/lib/time/time-zone.ts'
import { useTodayMessages } from '../messages.ts'
import { areasOf, buttonsOf, type CardButton } from './card-links.ts'
import { useCardMessages } from './card-messages.ts'
import type { CardText } from './card-texts.ts'
import classes from './cards.module.css'
import { GiveBalance } from './give-balance.tsx'
import { useCardChange } from './use-card-change.ts'
import { useSnooze } from './use-snooze.ts'

const tones = { bad: 'bad', warn: 'warn', note: 'info' } as const satisfies Record<CardSeverity, Tone>

/** Pages that the module does not know may be left out of the product. */
const useHasPage = (): ((path: string) => boolean) => {
  const { routesByPath } = useRouter()
  const heads = new Set(Object.keys(routesByPath).map((path) => path.split('/')[1]))
  return (path) => heads.has(path.split('/')[1])
}

const Buttons = ({ card }: { card: TodayCard }) => {
  const say = useCardMessages()
  const language = useLanguage()
  const session = useSession()
  const hasPage = useHasPage()
  const [isGiving, setGiving] = useState(false)
  const { busy, run } = useCardChange(() => setGiving(true))
  const isUsable = (button: CardButton): boolean =>
    'path' in button ? hasPage(button.path) : areasOf[button.change].every((area) => mayWrite(session, area))
  return (
    <>
      {buttonsOf(card)
        .filter(isUsable)
        .map((button, place) => {
          const look = place === 0 ? { variant: 'light' } : { variant: 'default' }
          const label = 'label' in button ? textIn(button.label, language) : say(button.word)
          return 'path' in button ? (
            <Button
              key={label}
              size="xs"
              {...look}
              component={Link}
              to={button.path as '/log'}
              search={(button.search ?? {}) as never}
            >
              {label}
            </Button>
          ) : (
            <Button key={label} size="xs" {...look} loading={busy} onClick={() => run(button.change, card)}>
              {label}
            </Button>
          )
        })}
      {isGiving && <GiveBalance card={card} onClose={() => setGiving(false)} />}
    </>
  )
}

const SnoozeMenu = ({ card, fact }: { card: TodayCard; fact: string }) => {
  const say = useTodayMessages()
  const snooze = useSnooze()
  const copy = (): void => {
    const address = `${window.location.origin}${window.location.pathname}?card=${encodeURIComponent(card.id)}`
    void navigator.clipboard.writeText(address).then(() => notifyDone(say('copied')))
  }
  return (
    <Menu
      button={(props) => (
        <ActionIcon {...props} variant="subtle" size={28} aria-label={say('snooze', { card: fact })}>
          <Icon name="more" size={16} />
        </ActionIcon>
      )}
      entries={() => [
        ...(card.snoozed_until === 0
          ? [
              { label: say('hour'), icon: 'history' as const, onClick: () => snooze(card, 'hour') },
              { label: say('tomorrow'), onClick: () => snooze(card, 'tomorrow') },
              { label: say('week'), onClick: () => snooze(card, 'week') },
            ]
          : [{ label: say('wake'), icon: 'history' as const, onClick: () => snooze(card, 'none') }]),
        { label: say('address'), icon: 'copy' as const, apart: true, onClick: copy },
      ]}
    />
  )
}

interface CardProps {
  readonly card: TodayCard
  readonly text: CardText
  /** True for the card that the address names. */
  readonly isNamed: boolean
}

/** Something that needs a decision: fact, cause, consequence, and what can be done. */
export const Card = ({ card, text, isNamed }: CardProps) => {
  const say = useTodayMessages()
  const reader = useTimeReader()
  const place = useRef<HTMLLIElement>(null)
  // The browser's scroll position.
  useEffect(() => {
    if (isNamed) place.current?.scrollIntoView({ block: 'nearest' })
  }, [isNamed])
  return (
    <li ref={place} className={classes.card} data-named={isNamed || undefined} data-card={card.id}>
      <StatusBadge tone={tones[card.severity]} label={say(card.severity)} />
      <div className={classes.words}>
        <h3>{text.fact}</h3>
        {text.cause !== '' && (
          <p className={classes.cause} title={text.cause}>
            {text.cause}
          </p>
        )}
        {text.consequence !== '' && <p>{text.consequence}</p>}
        {card.snoozed_until > 0 && (
          <p className="faint">{say('snoozedUntil', { time: formatMoment(card.snoozed_until, reader, true) })}</p>
        )}
      </div>
      <div className={classes.buttons}>
        <Buttons card={card} />
        <SnoozeMenu card={card} fact={text.fact} />
      </div>
    </li>
  )
}
