import { Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Icon } from '../../../components/display/icon.tsx'
import classes from './catalogue.module.css'
import { useCatalogueMessages } from './messages.ts'

export type Look = 'cards' | 'table'

const typingPauseMs = 200

/** Search field; puts the typed text into the address after a pause without keys. */
const Search = ({ value, count, onSearch }: { value: string; count: number; onSearch: (text: string) => void }) => {
  const say = useCatalogueMessages()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(value)
  const sent = useRef(value)
  useHotkeys([['/', () => field.current?.focus()]])
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setTyped(value)
  }, [value])
  useEffect(() => {
    if (typed === sent.current) return
    const timer = setTimeout(() => {
      sent.current = typed
      onSearch(typed)
    }, typingPauseMs)
    return () => clearTimeout(timer)
  }, [typed, onSearch])
  const placeholder = say('search', { count })
  return (
    <TextInput
      ref={field}
      className={classes.search ?? ''}
      type="search"
      maxLength={200}
      placeholder={placeholder}
      aria-label={placeholder}
      leftSection={<Icon name="search" size={14} />}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  )
}

interface ToolbarProps {
  count: number
  keyword: string
  onSearch: (text: string) => void
  sort: string
  onSort: (sort: string) => void
  look: Look
  onLook: (look: Look) => void
  /** Names that are picked to be compared. */
  picked: number
  onCompare: () => void
  /** Opens the filters; absent where they stand beside the list. */
  onFilters: (() => void) | undefined
  filtersOn: number
  groups: ReactNode
  tools: ReactNode
}

/** One line above the list: search, group, order, view, and what can be done. */
export const CatalogueToolbar = (props: ToolbarProps) => {
  const say = useCatalogueMessages()
  const sorts = [
    { value: '', label: say('mostUsed') },
    { value: 'model_name', label: say('name') },
    { value: 'input', label: say('cheapest') },
    { value: 'output', label: say('cheapestOutput') },
    { value: '-context', label: say('largest') },
    { value: 'first', label: say('quickest') },
    { value: '-speed', label: say('fastest') },
  ]
  return (
    <div className={classes.bar}>
      <Search value={props.keyword} count={props.count} onSearch={props.onSearch} />
      {props.onFilters && (
        <Button leftSection={<Icon name="filter" size={14} />} onClick={props.onFilters}>
          {props.filtersOn > 0 ? say('filtersOn', { count: props.filtersOn }) : say('filters')}
        </Button>
      )}
      {props.groups}
      {props.look === 'cards' && (
        <NativeSelect
          className={classes.sort ?? ''}
          size="xs"
          aria-label={say('sort')}
          data={sorts}
          value={sorts.some(({ value }) => value === props.sort) ? props.sort : ''}
          onChange={(event) => props.onSort(event.currentTarget.value)}
        />
      )}
      <SegmentedControl
        size="xs"
        aria-label={say('look')}
        value={props.look}
        onChange={(look) => props.onLook(look as Look)}
        data={[
          { value: 'cards', label: say('cards') },
          { value: 'table', label: say('table') },
        ]}
      />
      {props.look === 'cards' && props.picked > 0 && (
        <Button onClick={props.onCompare} disabled={props.picked < 2}>
          {say('compareChosen', { count: props.picked })}
        </Button>
      )}
      {props.tools}
    </div>
  )
}
