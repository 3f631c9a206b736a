import { Button } from '@mantine/core'
import { ownMember } from '@tollgate/contract/own-member'
import type { ComponentType } from 'react'
import { textIn, useLanguage } from '../../lib/i18n.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import { useStatus } from '../../lib/status.ts'
import { ownAddress } from '../../lib/url/page-paths.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { Field } from './controls/field.tsx'
import { useSettingMessages } from './messages.ts'
import { type Key, keysOf, type SettingsSection, sectionId } from './registry.ts'
import { extras, frames, showsOptions } from './section-extras.tsx'
import classes from './settings.module.css'
import { useSettings } from './settings-state.ts'
import { wordsOf } from './words.ts'

const ChangeSummary = onDemand(async () => (await import('./saving/change-summary.tsx')).ChangeSummary)

interface SectionCardProps {
  section: SettingsSection
  /** The field that the address names. */
  found: string | undefined
  busy: boolean
  onSave: (keys: readonly Key[]) => void
}

const Note = ({ text }: { text: string }) => {
  const { server_address } = useStatus()
  const server = server_address || ownAddress()
  return <p className={classes.note}>{text.replaceAll('{server}', server)}</p>
}

/** A card of options that are saved together. */
export const SectionCard = ({ section, found, busy, onSave }: SectionCardProps) => {
  const say = useSettingMessages()
  const language = useLanguage()
  const settings = useSettings()
  const note = ownMember(wordsOf(section.tab).notes, section.name)
  const keys = keysOf(section, settings.role)
  const changed = keys.filter((key) => settings.changed.includes(key))
  const drafted = keys.filter((key) => settings.draft(key) !== undefined)
  const title = textIn(section.title, language)
  const Extra: ComponentType | undefined = extras.get(section.name)
  const Frame = frames.get(section.name)
  const id = sectionId(section)
  const [search] = useSearchParams()
  const editable = drafted.length > 0 || showsOptions(section, search, settings.role)
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
      {note && <Note text={textIn(note, language)} />}
      {Frame ? <Frame>{fields}</Frame> : fields}
      {editable && keys.some(settings.canWrite) && (
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
