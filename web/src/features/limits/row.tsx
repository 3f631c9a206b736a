import { ActionIcon, Switch } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../components/display/icon.tsx'
import records from '../../components/display/record-list.module.css'
import { useHeld } from '../../components/form/held.ts'
import { LimitState, useAmountText } from '../../components/limits/limit-state.tsx'
import { boundText, whoText } from '../../components/limits/limit-text.ts'
import { useLimitTexts } from '../../components/limits/messages.ts'
import type { Limit, LimitStanding } from '../../lib/api/contract.ts'
import { useAction } from '../../lib/query.ts'
import { hasZone } from './fields.ts'
import { useLimitCalls } from './limit-calls.ts'
import classes from './limits.module.css'
import { type SayLimits, useLimitMessages } from './messages.ts'

/** Subject that has used most of the limit, with the others behind a button. */
const Standing = ({ limit, standing }: { limit: Limit; standing: LimitStanding | undefined }) => {
  const say = useLimitMessages()
  const texts = useLimitTexts()
  const [isOpen, setOpen] = useState(false)
  const states = standing?.states ?? []
  const isOfEach = limit.subjects.some(({ value }) => value === '')
  if (!limit.enabled) return <span className="faint">{say('off')}</span>
  if (states.length === 0) return <span className="faint">{say('nobody')}</span>
  const shown = isOpen ? states : states.slice(0, 1)
  return (
    <div className={classes.states}>
      {shown.map((state) => (
        <LimitState key={state.subject} state={state} {...(isOfEach ? { who: whoText(state.subjects, texts) } : {})} />
      ))}
      {states.length > 1 && !isOpen && (
        <button type="button" className="text-button" onClick={() => setOpen(true)}>
          {say('more', { count: states.length - 1 })}
        </button>
      )}
    </div>
  )
}

const factOf: Readonly<Record<Limit['action'], (say: SayLimits, model: string) => string>> = {
  refuse: (say) => say('hard'),
  fallback: (say, model) => say('goesOn', { model }),
  tell: (say) => say('soft'),
}

interface RowProps {
  readonly limit: Limit
  readonly standing: LimitStanding | undefined
  readonly onEdit: () => void
  readonly onRemove: () => void
}

/** One limit: what it allows and to whom, where it stands, and what can be done with it. */
export const LimitRow = ({ limit, standing, onEdit, onRemove }: RowProps) => {
  const say = useLimitMessages()
  const texts = useLimitTexts()
  const amountText = useAmountText()
  const { isAdmin, update, list, standing: standingCall } = useLimitCalls()
  const held = useHeld()
  const change = useAction(update, { refresh: [list, standingCall] })
  const { id, owner_id: owner, changed_time: _, ...body } = limit
  const subjects = standing?.subjects ?? limit.subjects.map((subject) => ({ ...subject, name: subject.value }))
  const amount = amountText(limit.measure, limit.amount)
  const facts = [
    factOf[limit.action](say, limit.fallback_model),
    ...(limit.tell_at.length > 0
      ? [say('tellsAt', { percents: limit.tell_at.map((percent) => `${percent}%`).join(', ') })]
      : []),
    ...(limit.tell_unusual ? [say('tellsUnusual')] : []),
    ...(limit.also_notify.length > 0 ? [say('alsoTells', { targets: limit.also_notify.length })] : []),
    ...(hasZone(limit.window) ? [say('zone', { zone: limit.time_zone })] : []),
    ...(isAdmin && owner > 0 ? [say('ofUser')] : []),
  ]
  return (
    <li className={records.row} data-row={id}>
      <div className={classes.what}>
        <button type="button" className={`text-button ${records.name}`} onClick={onEdit}>
          {limit.name}
        </button>
        <span>
          {whoText(subjects, texts)} · {boundText(limit, amount, texts)}
        </span>
        <span className="faint">{facts.join(' · ')}</span>
      </div>
      <Standing limit={limit} standing={standing} />
      <div className={records.actions}>
        <Switch
          aria-label={say('enable', { name: limit.name })}
          checked={limit.enabled}
          disabled={change.busy}
          {...held}
          onChange={(event) =>
            void change.run({ params: { id }, body: { ...body, enabled: event.currentTarget.checked } })
          }
        />
        <ActionIcon variant="subtle" aria-label={`${say('edit')}: ${limit.name}`} onClick={onEdit} {...held}>
          <Icon name="edit" size={16} />
        </ActionIcon>
        <ActionIcon variant="subtle" aria-label={`${say('delete')}: ${limit.name}`} onClick={onRemove} {...held}>
          <Icon name="trash" size={16} />
        </ActionIcon>
      </div>
    </li>
  )
}
