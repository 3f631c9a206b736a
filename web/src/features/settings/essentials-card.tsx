import { Link } from '@tanstack/react-router'
import { textIn, useLanguage } from '../../lib/i18n.ts'
import { useSettingMessages } from './messages.ts'
import { OptionCard } from './option-card.tsx'
import { allSections, essentialKeys, type Key } from './registry.ts'
import classes from './settings.module.css'
import { useSettings } from './settings-state.ts'

/** Sections with editors of their own. */
const linked: readonly string[] = ['prices', 'payment', 'mail']

const Links = () => {
  const say = useSettingMessages()
  const language = useLanguage()
  return (
    <nav className={classes.essentialLinks} aria-label={say('furtherEssentials')}>
      {allSections
        .filter(({ name }) => linked.includes(name))
        .map(({ name, title }) => (
          <Link key={name} to="/setting/$section" params={{ section: name }}>
            {textIn(title, language)}
          </Link>
        ))}
    </nav>
  )
}

/** The first card of the settings: options of several sections that most sites set, saved together. */
export const EssentialsCard = (props: {
  found: string | undefined
  busy: boolean
  onSave: (keys: readonly Key[]) => void
}) => {
  const say = useSettingMessages()
  const { role } = useSettings()
  return (
    <OptionCard id="settings-essentials" title={say('essentials')} keys={essentialKeys(role)} isEditable {...props}>
      <Links />
    </OptionCard>
  )
}
