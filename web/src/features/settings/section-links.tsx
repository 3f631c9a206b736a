import { NativeSelect } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { textIn, useLanguage } from '../../lib/i18n.ts'
import { useSettingMessages } from './messages.ts'
import { allTabs, essentials, type ShownSections, sectionsOf } from './registry.ts'
import classes from './section-links.module.css'

/** The search, and all sections by group: links beside the section, on narrow screens a choice above it. */
export const SectionLinks = ({ place, role, search }: { place: ShownSections; role: number; search: ReactNode }) => {
  const say = useSettingMessages()
  const language = useLanguage()
  const navigate = useNavigate()
  const groups = allTabs.map(({ tab, title }) => ({
    tab,
    title: textIn(title, language),
    sections: sectionsOf(tab, role).map((section) => ({
      value: section.name,
      label: textIn(section.title, language),
    })),
  }))
  return (
    <div className={classes.side}>
      {search}
      <NativeSelect
        className={classes.choice}
        aria-label={say('sections')}
        value={place.name}
        onChange={({ currentTarget }) =>
          void navigate({ to: '/setting/$section', params: { section: currentTarget.value } })
        }
      >
        <option value={essentials}>{say('essentials')}</option>
        {groups.map((group) => (
          <optgroup key={group.tab} label={group.title}>
            <option value={group.tab}>{say('allOf', { group: group.title })}</option>
            {group.sections
              .filter(({ value }) => value !== group.tab)
              .map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
          </optgroup>
        ))}
      </NativeSelect>
      <nav className={classes.links} aria-label={say('sections')}>
        <Link
          to="/setting/$section"
          params={{ section: essentials }}
          className={classes.title}
          aria-current={place.name === essentials ? 'page' : undefined}
        >
          {say('essentials')}
        </Link>
        {groups.map((group) => (
          <div key={group.tab} className={classes.group}>
            <Link
              to="/setting/$section"
              params={{ section: group.tab }}
              className={classes.title}
              aria-current={place.name === group.tab ? 'page' : undefined}
            >
              {group.title}
            </Link>
            {group.sections
              .filter(({ value }) => value !== group.tab)
              .map(({ value, label }) => (
                <Link
                  key={value}
                  to="/setting/$section"
                  params={{ section: value }}
                  aria-current={place.name === value ? 'page' : undefined}
                >
                  {label}
                </Link>
              ))}
          </div>
        ))}
      </nav>
    </div>
  )
}
