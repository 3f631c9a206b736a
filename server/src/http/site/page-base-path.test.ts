import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createPage } from './page.ts'
import { noOrigins } from './policy.ts'

const template = readFileSync(join(import.meta.dirname, '../../../../web/index.html'), 'utf8').replace(
  '</head>',
  '<style>@font-face{src:url(/assets/face.woff2)}</style><link rel="stylesheet" href="/assets/index.css" disabled></head>',
)
const files = { scripts: ['assets/log.js'], styles: ['assets/log.css'] }
const pageAt = (basePath?: string) => createPage(template, basePath)({ logo: '' }, noOrigins, files, 'en').html

describe('the page below a base path', () => {
  it('asks for everything there', () => {
    const html = pageAt('/gw')
    const addresses = [...html.matchAll(/(?:href|src)="([^"]*)"|url\(([^)]*)\)/g)].map(([, one, other]) => one ?? other)
    expect(addresses.length).toBeGreaterThan(5)
    expect(addresses.filter((address) => !address?.startsWith('/gw/'))).toEqual([])
  })

  it('has scripts that know the path', () => {
    const html = pageAt('/gw')
    expect(html).toMatch(/<html lang="en" data-base="\/gw" data-mantine-color-scheme="light">/)
    expect(html).toContain("const path = (location.pathname.slice(3) || '/')")
    expect(html).toContain('; path=/gw; max-age')
    expect(html).not.toMatch(/= location\.pathname|path=\/;/)
  })

  it('is the template with nothing changed where there is no path', () => {
    const html = pageAt()
    expect(html).toBe(pageAt(''))
    expect(html).not.toContain('data-base')
    const scripts = (page: string) => [...page.matchAll(/<script>[\s\S]*?<\/script>/g)].map(([script]) => script)
    expect(scripts(html)).toEqual(scripts(template))
  })
})
