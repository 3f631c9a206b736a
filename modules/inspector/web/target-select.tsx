import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { calls } from '#web/lib/api/contract.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { useInspectorMessages } from './messages.ts'

export type TargetKind = 'token' | 'user' | 'channel'

interface Found {
  readonly value: string
  readonly label: string
}

const pauseMs = 200
const mostListed = 20

const textOf = (parts: readonly string[], id: string | number): string =>
  [...parts, `#${id}`].filter((part) => part !== '').join(' · ')

/** Keys, users or channels whose name or number contains a text; undefined while they are on their way. */
const useFound = (kind: TargetKind, keyword: string): readonly Found[] => {
  const isChannel = kind === 'channel'
  const subjects = useEndpoint(
    calls.findLimitSubjects,
    { query: { kind: kind === 'token' ? 'key' : 'user', keyword } },
    { enabled: !isChannel },
  )
  const channels = useEndpoint(calls.searchChannels, { query: { keyword } }, { enabled: isChannel })
  if (!isChannel)
    return (subjects.data ?? []).map(({ value, name, note }) => ({ value, label: textOf([name, note], value) }))
  return (channels.data ?? [])
    .slice(0, mostListed)
    .map(({ id, name }) => ({ value: String(id), label: textOf([name], id) }))
}

/** One thing of a kind, found by its name or number. Empty for none. */
export const TargetSelect = (props: {
  kind: TargetKind
  label: string
  value: string
  onChange: (value: string) => void
  error?: ReactNode
  clearable?: boolean
}) => {
  const say = useInspectorMessages()
  const [chosen, setChosen] = useState<Found>()
  const [text, setText] = useState('')
  const [settled] = useDebouncedValue(text === chosen?.label ? '' : text, pauseMs)
  const found = useFound(props.kind, settled)
  const isListed = chosen === undefined || props.value === '' || found.some(({ value }) => value === chosen.value)
  return (
    <Select
      label={props.label}
      placeholder={say('targetText')}
      searchable
      clearable={props.clearable === true}
      data={isListed ? [...found] : [chosen, ...found]}
      // The server has searched.
      filter={({ options }) => options}
      searchValue={text}
      onSearchChange={setText}
      nothingFoundMessage={say('nothingFound')}
      value={props.value === '' ? null : props.value}
      onChange={(next) => {
        setChosen(found.find(({ value }) => value === next))
        props.onChange(next ?? '')
      }}
      error={props.error}
    />
  )
}
