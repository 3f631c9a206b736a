import { Button } from '@mantine/core'
import type { ComponentType, ReactNode } from 'react'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import { Field } from './controls/field.tsx'
import { useSettingMessages } from './messages.ts'
import type { Key } from './registry.ts'
import classes from './settings.module.css'
import { useSettings } from './settings-state.ts'

const ChangeSummary = onDemand(async () => (await import('./saving/change-summary.tsx')).ChangeSummary)

interface OptionCardProps {
  /** Id of the heading. */
  id: string
  title: string
  keys: readonly Key[]
  /** True if the options are shown, so that there is something to save. */
  isEditable: boolean
  /** The field that the address names. */
  found: string | undefined
  busy: boolean
  onSave: (keys: readonly Key[]) => void
  /** Below the heading. */
  note?: ReactNode
  /** Wraps the fields, e.g. with another editor of the same options. */
  Frame?: ComponentType<{ children: ReactNode }> | undefined
  /** Beside the buttons. */
  Extra?: ComponentType | undefined
  /** Below the fields. */
  children?: ReactNode
}

/** A card of options that are saved together. */
export const OptionCard = (props: OptionCardProps) => {
  const { id, title, keys, isEditable, found, busy, onSave, note, Frame, Extra, children } = props
  const say = useSettingMessages()
  const settings = useSettings()
  const changed = keys.filter((key) => settings.changed.includes(key))
  const drafted = keys.filter((key) => settings.draft(key) !== undefined)
  const fields = (
    <div className={classes.fields}>
      {keys.map((key) => (
        <Field
          key={key}
          of={key}
          text={settings.text(key)}
          draft={settings.draft(key)}
          error={settings.problem(key)}
          writable={settings.canWrite(key)}
          isStored={settings.stored.secrets.has(key)}
          standard={settings.standard(key)}
          problem={settings.stored.problems.get(key)}
          actions={settings.actions}
          found={found === key}
        />
      ))}
    </div>
  )
  return (
    <section className={`panel ${classes.card}`} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {note}
      {Frame ? <Frame>{fields}</Frame> : fields}
      {children}
      {(isEditable || drafted.length > 0) && keys.some(settings.canWrite) && (
        <div className={classes.foot}>
          <div className={classes.footActs}>
            <Button
              variant={changed.length > 0 ? 'filled' : 'default'}
              loading={busy}
              aria-label={say('saveSection', { title })}
              onClick={() => onSave(keys)}
            >
              {say('save')}
            </Button>
            {drafted.length > 0 && (
              <Button aria-label={say('undoSection', { title })} onClick={() => settings.discard(drafted)}>
                {say('undo')}
              </Button>
            )}
            {Extra && <Extra />}
          </div>
          {/* Below the buttons: what grows while a value is typed must not move the button under the pointer. */}
          {changed.length > 0 && <ChangeSummary keys={changed} name={say('changesOf', { title })} />}
        </div>
      )}
    </section>
  )
}
