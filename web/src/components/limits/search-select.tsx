import type { Callable } from 'virtual:contract'
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { LimitSubject } from '@tollgate/contract/limits/limit-choices'
import { type ReactNode, useState } from 'react'
import type { calls, Endpoint, FoundSubject } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'

/** The same call, whoever may make it. */
export type ForAll<C> =
  C extends Callable<Endpoint<infer P, infer Q, infer B, infer D>> ? Callable<Endpoint<P, Q, B, D>> : never

/** Things of a kind by name or number, of the site or the reader's own. */
export type SubjectCall = ForAll<typeof calls.findLimitSubjects>

const pauseMs = 200

/** Name, note and number of a found thing in one line. */
export const subjectText = ({ value, name, note }: FoundSubject): string =>
  [name, note, value.includes(':') ? '' : `#${value}`].filter((part) => part !== '').join(' · ')

/** The thing of a number; undefined for kinds without numbers, and while it is on its way. */
export const useSubject = (subjects: SubjectCall, kind: LimitSubject | '', value: string): FoundSubject | undefined => {
  const hasId = ['key', 'user', 'team', 'project', 'member', 'channel', 'upstream_key'].includes(kind)
  const query = { kind: kind === '' ? 'key' : kind, keyword: `#${value}` } as const
  const { data } = useEndpoint(subjects, { query }, { enabled: hasId && value !== '' })
  return data?.find((one) => one.value === value)
}

/** A thing with an id, found by its name or number. */
export const FoundSelect = ({
  subjects,
  kind,
  value,
  onChange,
  ...texts
}: {
  readonly subjects: SubjectCall
  readonly kind: LimitSubject
  readonly label: string
  readonly placeholder?: string
  readonly nothingFoundMessage: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error?: ReactNode
}) => {
  const chosen = useSubject(subjects, kind, value)
  const asked = /^\d+$/.test(value) ? `#${value}` : value
  const chosenText = chosen === undefined ? asked : subjectText(chosen)
  const [text, setText] = useState('')
  const [settled] = useDebouncedValue(text === chosenText ? '' : text, pauseMs)
  const { data = [] } = useEndpoint(subjects, { query: { kind, keyword: settled } })
  const found = data.map((one) => ({ value: one.value, label: subjectText(one) }))
  const isListed = value === '' || found.some((one) => one.value === value)
  return (
    <Select
      {...texts}
      searchable
      clearable
      data={isListed ? found : [{ value, label: chosenText }, ...found]}
      // The server has searched.
      filter={({ options }) => options}
      searchValue={text}
      onSearchChange={setText}
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
    />
  )
}
