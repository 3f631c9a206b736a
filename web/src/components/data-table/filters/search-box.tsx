import { TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '../../display/icon.tsx'
import classes from '../data-table.module.css'

const settleMs = 300

/** Searches while typing, a moment after the last key. `/` focuses it from anywhere on the page. */
export const SearchBox = (props: { value: string; placeholder: string; onSearch: (text: string) => void }) => {
  const [text, setText] = useState(props.value)
  const [seen, setSeen] = useState(props.value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  if (props.value !== seen) {
    // The address changed by other means: back, a cleared filter, a link.
    setSeen(props.value)
    setText(props.value)
  }
  // Stops the browser's timer when the table goes away.
  useEffect(() => () => clearTimeout(timer.current), [])
  const search = (next: string): void => {
    clearTimeout(timer.current)
    setSeen(next.trim())
    props.onSearch(next.trim())
  }
  return (
    <TextInput
      className={classes.search}
      type="search"
      data-table-search
      aria-label={props.placeholder}
      placeholder={props.placeholder}
      leftSection={<Icon name="search" size={14} />}
      value={text}
      onChange={(event) => {
        const next = event.currentTarget.value
        setText(next)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => search(next), settleMs)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') search(text)
        if (event.key === 'Escape') event.currentTarget.blur()
      }}
    />
  )
}
