import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { LimitSubject } from '@tollgate/contract/limits/limit-choices'
import { type ReactNode, useState } from 'react'
import { useEndpoint } from '../../lib/query.ts'
import { type SubjectCall, subjectText } from './search-select.tsx'

const pauseMs = 200
const numberPattern = /^#?([1-9]\d{0,15})$/

/**
 * Several things with ids, each found by its name or number. A number that nothing is found for can be chosen as it is: the thing may be
 * gone, and what is asked about it not.
 */
export const FoundMultiSelect = ({
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
  /** Ids. */
  readonly value: readonly string[]
  readonly onChange: (value: string[]) => void
  readonly error?: ReactNode
}) => {
  const [text, setText] = useState('')
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  const [settled] = useDebouncedValue(text, pauseMs)
  const { data = [] } = useEndpoint(subjects, { query: { kind, keyword: settled } })
  const found = data.map((one) => ({ value: one.value, label: subjectText(one) }))
  const typed = numberPattern.exec(text.trim())?.[1]
  const others = [...value, ...(typed === undefined ? [] : [typed])].filter(
    (id, place, all) => all.indexOf(id) === place && !found.some((one) => one.value === id),
  )
  const change = (next: string[]): void => {
    setNames(new Map([...names, ...found.map((one) => [one.value, one.label] as const)]))
    onChange(next)
  }
  return (
    <MultiSelect
      {...texts}
      {...(value.length === 0 ? {} : { placeholder: '' })}
      searchable
      clearable
      hidePickedOptions
      data={[...others.map((id) => ({ value: id, label: names.get(id) ?? `#${id}` })), ...found]}
      // The server has searched.
      filter={({ options }) => options}
      searchValue={text}
      onSearchChange={setText}
      value={[...value]}
      onChange={change}
    />
  )
}
