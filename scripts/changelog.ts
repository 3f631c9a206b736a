const unreleased = '## [Unreleased]\n'

/** The text of a version's section without its heading, or undefined where there is none. */
export const sectionOf = (changelog: string, version: string): string | undefined => {
  const start = changelog.indexOf(`\n## [${version}]`)
  if (start < 0) return undefined
  const body = changelog.indexOf('\n', start + 1)
  const next = changelog.indexOf('\n## [', body)
  return `${changelog.slice(body, next < 0 ? undefined : next).trim()}\n`
}

/** Turns what is unreleased into the section of `version`. Throws where nothing is unreleased. */
export const releaseChangelog = (changelog: string, version: string, date: string): string => {
  if ((sectionOf(changelog, 'Unreleased') ?? '').trim() === '') throw new Error('CHANGELOG.md has nothing unreleased')
  return changelog.replace(unreleased, `${unreleased}\n## [${version}] - ${date}\n`)
}
