import { Select } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../components/display/icon.tsx'
import { textIn, useLanguage } from '../../lib/i18n.ts'
import { useSettingMessages } from './messages.ts'
import { allSections, keysOf, optionOf, searchText, sectionOf } from './searched.ts'
import classes from './settings.module.css'

const mostFound = 30

/** Finds an option by name, help or key in either language, and opens it. */
export const FindSetting = ({ role, onFind }: { role: number; onFind: (key: string) => void }) => {
  const say = useSettingMessages()
  const language = useLanguage()
  const [wanted, setWanted] = useState('')
  const data = allSections
    .flatMap((section) => keysOf(section, role))
    .map((key) => ({ value: key, label: textIn(optionOf(key).label, language) }))
  const titleOf = (key: string): string => {
    const section = sectionOf(key)
    return section ? textIn(section.title, language) : ''
  }
  return (
    <Select
      aria-label={say('search')}
      placeholder={say('search')}
      className={classes.search}
      leftSection={<Icon name="search" size={14} />}
      rightSection={null}
      searchable
      searchValue={wanted}
      onSearchChange={setWanted}
      value={null}
      data={data}
      limit={mostFound}
      maxDropdownHeight={360}
      nothingFoundMessage={say('searchNothing')}
      filter={({ options, search, limit }) => {
        const needles = search.toLowerCase().split(/\s+/).filter(Boolean)
        return options
          .filter(
            (item) => 'value' in item && needles.every((needle) => searchText(String(item.value)).includes(needle)),
          )
          .slice(0, limit)
      }}
      renderOption={({ option }) => (
        <span className={classes.hit}>
          <span>{option.label}</span>
          <small className="faint">
            {titleOf(option.value)} · <code>{option.value}</code>
          </small>
        </span>
      )}
      onChange={(key) => {
        if (key === null) return
        setWanted('')
        onFind(key)
      }}
    />
  )
}
