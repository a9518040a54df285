import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Template, TemplateUsage } from '../data/templates.ts'
import { byFit } from './fitting.ts'

const template = (template_name: string, stage: string, more: object = {}) =>
  ({
    template_id: template_name,
    template_name,
    template_config: { stages: [{ name: stage }] },
    is_default: false,
    is_predefined: false,
    ...more,
  }) as unknown as Template

const all = [
  template('Clinic onboarding', 'Kick-off'),
  template('Imaging, second site', 'Data'),
  template('Onboarding in four weeks', 'Imaging'),
  template('Shipped', 'Kick-off', { is_predefined: true }),
]

const shown = (about: string, usage: object[] = []) =>
  byFit(all, about, usage as TemplateUsage[]).map(({ template: { template_name }, fits }) => [
    template_name,
    fits,
  ])

test('templates fit by words of their names first, then of their milestones', () => {
  assert.deepEqual(shown('Two images: centre for IMAGING').slice(0, 3), [
    ['Imaging, second site', true],
    ['Onboarding in four weeks', true],
    ['Clinic onboarding', false],
  ])
})

test('then by the projects that were made from them, and own ones before shipped ones', () => {
  const usage = [
    { template_id: 'Onboarding in four weeks', n: 1, running: 1 },
    { template_id: 'Shipped', n: 1, running: 0 },
  ]
  assert.deepEqual(shown('', usage), [
    ['Onboarding in four weeks', true],
    ['Shipped', true],
    ['Clinic onboarding', false],
    ['Imaging, second site', false],
  ])
})
