import { Autocomplete } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { TextFacet } from './column.ts'

/** A filter that is written. */
export const TextFilter = (props: { facet: TextFacet; value: string; onSave: (text: string) => void }) => {
  const [text, setText] = useState(props.value)
  const save = (event: FormEvent): void => {
    event.preventDefault()
    props.onSave(text.trim())
  }
  return (
    <form onSubmit={save}>
      <Autocomplete
        size="xs"
        aria-label={props.facet.label}
        placeholder={props.facet.placeholder}
        data={[...(props.facet.suggestions ?? [])]}
        comboboxProps={{ withinPortal: false }}
        limit={20}
        value={text}
        onChange={setText}
        onOptionSubmit={(value) => props.onSave(value)}
        data-autofocus
      />
    </form>
  )
}
