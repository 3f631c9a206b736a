import { screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'

const styleOf = (name: string) =>
  window.getComputedStyle(document.querySelector(`[data-name=${name}]`) ?? document.body)

beforeEach(() => {
  document.head.innerHTML = `<style>
    .gone { display: none }
    @media (max-width: 99em) { .plain { display: none } }
    @media screen { .wide { visibility: hidden } }
  </style>`
  document.body.innerHTML = `
    <p data-name="plain" class="plain">a</p>
    <p data-name="gone" class="gone">b</p>
    <p data-name="hidden" hidden>c</p>
    <input data-name="unseen" type="hidden">
    <div style="visibility: hidden; pointer-events: none; color: red">
      <b data-name="inside">d</b>
      <b data-name="back" style="visibility: visible; padding-top: 3px">e</b>
    </div>
    <table><tbody><tr data-name="row" hidden><td data-name="cell">f</td></tr></tbody></table>
    <details><summary data-name="summary">g</summary></details>
    <button data-name="button">h</button>`
})

it('says of each element whether it is shown, by its name, its attributes, its own style and the sheets of the page', () => {
  const shown = ['plain', 'gone', 'hidden', 'unseen', 'row', 'cell', 'summary', 'button'].map((name) => [
    name,
    styleOf(name).display,
  ])
  expect(Object.fromEntries(shown)).toEqual({
    plain: 'block',
    gone: 'none',
    hidden: 'none',
    unseen: 'none',
    row: 'none',
    cell: 'table-cell',
    summary: 'list-item',
    button: 'inline-block',
  })
})

it('takes visibility, pointer events and colours from the elements around', () => {
  const { visibility, pointerEvents, color } = styleOf('inside')
  expect([visibility, pointerEvents, color]).toEqual(['hidden', 'none', 'rgb(255, 0, 0)'])
  expect([styleOf('back').visibility, styleOf('back').paddingTop]).toEqual(['visible', '3px'])
  expect([styleOf('row').visibility, styleOf('plain').visibility]).toEqual(['collapse', 'visible'])
})

it('sees every change at once: of a style, an attribute, and a sheet', () => {
  const plain = document.querySelector<HTMLElement>('[data-name=plain]')
  expect(styleOf('plain').display).toBe('block')
  plain?.setAttribute('hidden', '')
  expect(styleOf('plain').getPropertyValue('display')).toBe('none')
  plain?.removeAttribute('hidden')
  plain?.style.setProperty('display', 'flex')
  expect(styleOf('plain').display).toBe('flex')
  document.head.insertAdjacentHTML('beforeend', '<style>b { display: grid }</style>')
  expect(styleOf('inside').display).toBe('grid')
})

it('knows as many properties as jsdom', () => {
  expect(styleOf('button').boxSizing).toBe('border-box')
  expect(Reflect.get(styleOf('button'), 'noSuchProperty')).toBe(undefined)
})

it('prints the page in the error of a query that finds nothing', async () => {
  expect(() => screen.getByText('nowhere')).toThrow(/nowhere[\s\S]*"plain"/)
  await expect(screen.findByText('nowhere', {}, { timeout: 20 })).rejects.toThrow(/nowhere[\s\S]*"plain"/)
})
