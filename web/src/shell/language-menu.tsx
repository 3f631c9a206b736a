import { ActionIcon, Menu } from '@mantine/core'
import { Icon } from '../components/icon.tsx'
import { languages, setLanguage, useLanguage } from '../lib/i18n.ts'
import { useShellWords } from './messages.ts'

export const LanguageMenu = () => {
  const say = useShellWords()
  const language = useLanguage()
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon size={36}>
          <span className="strong">{languages.find((entry) => entry.value === language)?.short}</span>
          <span className="visually-hidden"> {say('language')}</span>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {languages.map((entry) => (
          <Menu.Item
            key={entry.value}
            lang={entry.value}
            rightSection={entry.value === language && <Icon name="check" size={14} />}
            aria-current={entry.value === language}
            onClick={() => void setLanguage(entry.value)}
          >
            {entry.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
