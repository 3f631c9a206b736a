import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../../components/display/icon.tsx'
import type { ChannelType } from '../../../lib/api/contract.ts'
import { textIn, useLanguage } from '../../../lib/i18n.ts'
import classes from './form.module.css'
import { useChannelFormMessages } from './form-messages.ts'

const matches = (type: ChannelType, text: string): boolean =>
  `${type.name} ${type.label.zh} ${type.label.en} ${type.base_url}`.toLowerCase().includes(text.trim().toLowerCase())

const Gallery = (props: { types: readonly ChannelType[]; value: number; onChoose: (type: ChannelType) => void }) => {
  const say = useChannelFormMessages()
  const language = useLanguage()
  const [text, setText] = useState('')
  // Types that cannot relay yet come last.
  const found = props.types.filter((type) => matches(type, text)).sort((a, b) => Number(b.relays) - Number(a.relays))
  return (
    <div className={classes.gallery}>
      <TextInput
        aria-label={say('typeSearch')}
        placeholder={say('typeSearch')}
        leftSection={<Icon name="search" size={14} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          const first = found.find((type) => type.relays)
          if (first) props.onChoose(first)
        }}
        data-autofocus
      />
      <fieldset className={classes.tiles} aria-label={say('type')}>
        {found.map((type) => (
          <button
            key={type.type}
            type="button"
            className={classes.tile}
            aria-pressed={type.type === props.value}
            disabled={!type.relays}
            title={
              type.relays
                ? type.base_url
                : say('unusable', { reason: type.reason ? textIn(type.reason, language) : '' })
            }
            onClick={() => props.onChoose(type)}
          >
            <span className={classes.dot} data-colour={type.color} aria-hidden="true" />
            {textIn(type.label, language)}
          </button>
        ))}
        {found.length === 0 && <p className="faint">{say('typeNone')}</p>}
      </fieldset>
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
}) => {
  const say = useChannelFormMessages()
  const language = useLanguage()
  const [open, setOpen] = useState(props.choosing)
  const chosen = props.types.find((type) => type.type === props.value)
  return (
    <div>
      <div className={classes.chosen}>
        <span className={classes.dot} data-colour={chosen?.color} aria-hidden="true" />
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
          onChoose={(type) => {
            props.onChange(type)
            setOpen(false)
          }}
        />
      )}
    </div>
  )
}
