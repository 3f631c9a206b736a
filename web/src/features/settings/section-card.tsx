import { ownMember } from '@tollgate/contract/own-member'
import { textIn, useLanguage } from '../../lib/i18n.ts'
import { useStatus } from '../../lib/status.ts'
import { ownAddress } from '../../lib/url/page-paths.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { OptionCard } from './option-card.tsx'
import { type Key, keysOf, type SettingsSection, sectionId } from './registry.ts'
import { extras, frames, showsOptions } from './section-extras.tsx'
import classes from './settings.module.css'
import { useSettings } from './settings-state.ts'
import { wordsOf } from './words.ts'

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

/** The card of a section. */
export const SectionCard = ({ section, ...props }: SectionCardProps) => {
  const language = useLanguage()
  const { role } = useSettings()
  const [search] = useSearchParams()
  const note = ownMember(wordsOf(section.tab).notes, section.name)
  return (
    <OptionCard
      id={sectionId(section)}
      title={textIn(section.title, language)}
      keys={keysOf(section, role)}
      isEditable={showsOptions(section, search, role)}
      note={note && <Note text={textIn(note, language)} />}
      Frame={frames.get(section.name)}
      Extra={extras.get(section.name)}
      {...props}
    />
  )
}
