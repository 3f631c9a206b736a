import { expect, it } from 'vitest'
import { releaseChangelog, sectionOf } from './changelog.ts'

const changelog = '# Changelog\n\n## [Unreleased]\n\n### Fixed\n\n- A leak.\n\n## [1.0.0] - 2026-01-01\n\n- First.\n'

it('reads the section of one version', () => {
  expect(sectionOf(changelog, '1.0.0')).toBe('- First.\n')
  expect(sectionOf(changelog, 'Unreleased')).toBe('### Fixed\n\n- A leak.\n')
  expect(sectionOf(changelog, '2.0.0')).toBeUndefined()
})

it('dates what is unreleased and leaves an empty section for what comes', () => {
  const released = releaseChangelog(changelog, '1.1.0', '2026-02-03')
  expect(released).toContain('## [Unreleased]\n\n## [1.1.0] - 2026-02-03\n\n### Fixed')
  expect(sectionOf(released, '1.1.0')).toBe('### Fixed\n\n- A leak.\n')
})

it('refuses a release without a change', () => {
  const released = releaseChangelog(changelog, '1.1.0', '2026-02-03')
  expect(() => releaseChangelog(released, '1.2.0', '2026-02-04')).toThrow('nothing unreleased')
})
