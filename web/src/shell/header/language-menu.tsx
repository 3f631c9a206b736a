import { ActionIcon } from '@mantine/core'
import { Menu } from '../../components/menu/menu.tsx'
import { languages, setLanguage, useLanguage } from '../../lib/i18n.ts'
import { useShellMessages } from '../messages.ts'

export const LanguageMenu = () => {
  const say = useShellMessages()
  const language = useLanguage()
  return (
    <Menu
      button={(buttonProps) => (
        <ActionIcon size={36} {...buttonProps}>
          <span className="strong">{languages.find((entry) => entry.value === language)?.short}</span>
          <span className="visually-hidden"> {say('language')}</span>
        </ActionIcon>
      )}
      entries={() =>
        languages.map(({ value, label }) => ({
          label,
          lang: value,
          current: value === language,
          onClick: () => setLanguage(value),
        }))
      }
    />
  )
}
