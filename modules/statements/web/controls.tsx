import { ActionIcon, SegmentedControl, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Icon } from '#web/components/display/icon.tsx'
import { call } from '#web/lib/api/api.ts'
import { calls } from '#web/lib/api/contract.ts'
import { monthAfter } from '#web/lib/time/calendar-days.ts'
import { useStatementMessages } from './messages.ts'
import classes from './statements.module.css'
import type { StatementView } from './view.ts'

type SetSearch = (changes: Readonly<Record<string, string | undefined>>) => void

const mostFound = 100

/** The id of the user with this name or number; undefined where there is none. */
const findUser = async (text: string): Promise<number | undefined> => {
  const { items } = await call(calls.searchUsers, { query: { keyword: text, page_size: mostFound } })
  const named = items.find(({ username }) => username === text)
  return (named ?? items.find(({ id }) => String(id) === text.replace(/^#/, '')))?.id
}

const UserField = ({ setSearch }: { setSearch: SetSearch }) => {
  const say = useStatementMessages()
  const [missing, setMissing] = useState(false)
  const find = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget).get('user') ?? '').trim()
    if (text === '') return
    const id = await findUser(text).catch(() => undefined)
    setMissing(id === undefined)
    if (id !== undefined) setSearch({ scope: undefined, user: String(id) })
  }
  return (
    <form onSubmit={(event) => void find(event)} className={classes.user}>
      <TextInput
        name="user"
        aria-label={say('userHint')}
        placeholder={say('userHint')}
        error={missing ? say('noUser') : undefined}
        onChange={() => setMissing(false)}
      />
      <ActionIcon type="submit" variant="default" size="lg" aria-label={say('user')}>
        <Icon name="search" />
      </ActionIcon>
    </form>
  )
}

/** The month and, for administrators, whose statement it is. */
export const Controls = (props: { view: StatementView; isAdmin: boolean; setSearch: SetSearch }) => {
  const say = useStatementMessages()
  const { view, isAdmin, setSearch } = props
  const step = (months: number): void => setSearch({ month: monthAfter(view.month, months) })
  return (
    <div className={classes.controls}>
      <div className={classes.months}>
        <ActionIcon variant="default" size="lg" aria-label={say('earlier')} onClick={() => step(-1)}>
          <Icon name="left" />
        </ActionIcon>
        <input
          type="month"
          className={classes.month}
          aria-label={say('month')}
          value={view.month}
          onChange={({ target }) => setSearch({ month: target.value || undefined })}
        />
        <ActionIcon variant="default" size="lg" aria-label={say('later')} onClick={() => step(1)}>
          <Icon name="right" />
        </ActionIcon>
      </div>
      {isAdmin && (
        <SegmentedControl
          aria-label={say('scope')}
          value={view.scope}
          onChange={(scope) => setSearch({ scope: scope === 'mine' ? undefined : scope, user: undefined })}
          data={(['mine', 'user', 'site'] as const).map((value) => ({ value, label: say(value) }))}
        />
      )}
      {view.scope === 'user' && <UserField setSearch={setSearch} />}
    </div>
  )
}
