import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../../components/display/icon.tsx'
import { Logo } from '../../../components/logo/logo.tsx'
import { findProviders, isKey, typeOfKey } from '../../../components/providers/match-provider.ts'
import { useProviderMessages } from '../../../components/providers/messages.ts'
import { ProviderGallery } from '../../../components/providers/provider-gallery.tsx'
import type { ChannelType } from '../../../lib/api/contract.ts'
import { textIn, useLanguage } from '../../../lib/i18n.ts'
import classes from './form.module.css'
import { useChannelFormMessages } from './form-messages.ts'

interface GalleryProps {
  types: readonly ChannelType[]
  value: number
  onChoose: (type: ChannelType) => void
  /** Takes a key that was pasted into the search. */
  onKey: ((key: string) => void) | undefined
}

const Gallery = ({ types, value, onChoose, onKey }: GalleryProps) => {
  const say = useProviderMessages()
  const [text, setText] = useState('')
  const find = (next: string): void => {
    const type = types.find((entry) => entry.type === typeOfKey(next))
    if (!onKey || !isKey(next)) setText(next)
    else {
      onKey(next.trim())
      setText('')
      if (type) onChoose(type)
    }
  }
  return (
    <div className={classes.gallery}>
      <TextInput
        aria-label={say('search')}
        placeholder={say('search')}
        leftSection={<Icon name="search" size={14} />}
        autoComplete="off"
        value={text}
        onChange={(event) => find(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          const first = findProviders(types, text).find(({ type }) => type.relays)
          if (first) onChoose(first.type)
        }}
        data-autofocus
      />
      <ProviderGallery types={types} value={value} search={text} onChoose={onChoose} />
    </div>
  )
}

/** The provider: a gallery to choose from, folded to one line once chosen. */
export const TypePicker = (props: {
  types: readonly ChannelType[]
  value: number
  onChange: (type: ChannelType) => void
  /** Shows the gallery at first. */
  choosing: boolean
  onKey?: ((key: string) => void) | undefined
}) => {
  const say = useChannelFormMessages()
  const language = useLanguage()
  const [open, setOpen] = useState(props.choosing)
  const chosen = props.types.find((type) => type.type === props.value)
  return (
    <div>
      <div className={classes.chosen}>
        <Logo of={{ type: props.value }} name={chosen?.label.en ?? ''} />
        <span>
          <span className="visually-hidden">{say('type')} </span>
          <strong className="strong">{chosen ? textIn(chosen.label, language) : props.value}</strong>
        </span>
        <span className="faint mono">{chosen?.base_url}</span>
        <Button size="compact-sm" ml="auto" aria-expanded={open} onClick={() => setOpen(!open)}>
          {say('change')}
        </Button>
      </div>
      {chosen && !chosen.relays && (
        <p className={classes.warning}>
          {say('unusable', { reason: chosen.reason ? textIn(chosen.reason, language) : '' })}
        </p>
      )}
      {open && (
        <Gallery
          types={props.types}
          value={props.value}
          onKey={props.onKey}
          onChoose={(type) => {
            props.onChange(type)
            setOpen(false)
          }}
        />
      )}
    </div>
  )
}
