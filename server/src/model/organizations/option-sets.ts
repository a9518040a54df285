/** The option sets a fresh organization starts with; people edit them later. */
export const optionSets: { [module: string]: { [set: string]: string[] } } = {
  companies: {
    types: ['Prospect', 'Customer', 'Partner', 'Vendor', 'Investor', 'Competitor', 'Other'],
    segments: ['Enterprise', 'Mid-market', 'Small business', 'Startup', 'Public sector'],
    industries: [
      'Software',
      'Financial services',
      'Healthcare',
      'Manufacturing',
      'Retail',
      'Education',
      'Media',
      'Logistics',
      'Energy',
      'Construction',
      'Hospitality',
      'Professional services',
      'Telecommunications',
      'Government',
      'Non-profit',
      'Other',
    ],
    revenue_ranges: [
      'Under 1M',
      '1M to 10M',
      '10M to 50M',
      '50M to 100M',
      '100M to 500M',
      '500M to 1B',
      'Over 1B',
    ],
    employee_ranges: [
      '1-10',
      '11-50',
      '51-200',
      '201-500',
      '501-1000',
      '1001-5000',
      '5001-10000',
      '10000+',
    ],
  },
  contacts: {
    lead_sources: [
      'Website',
      'Referral',
      'Event',
      'Outbound',
      'Inbound call',
      'Partner',
      'Advertisement',
      'Social media',
      'Other',
    ],
    lead_statuses: [
      'New',
      'Open',
      'Contacted',
      'Qualified',
      'Unqualified',
      'Nurturing',
      'Converted',
    ],
    contact_stages: [
      'Subscriber',
      'Lead',
      'Opportunity',
      'Customer',
      'Advocate',
      'Former customer',
    ],
    person_categories: [
      'Customer',
      'Prospect',
      'Partner',
      'Investor',
      'Press',
      'Candidate',
      'Other',
    ],
    seniority_levels: [
      'Owner',
      'C-level',
      'Vice president',
      'Director',
      'Manager',
      'Senior',
      'Junior',
      'Intern',
    ],
    buying_roles: [
      'Decision maker',
      'Champion',
      'Economic buyer',
      'Influencer',
      'Technical evaluator',
      'End user',
      'Blocker',
      'Legal',
    ],
    preferred_communication_channels: [
      'Email',
      'Phone',
      'WhatsApp',
      'SMS',
      'Video call',
      'LinkedIn',
    ],
    languages: [
      'English',
      'French',
      'German',
      'Spanish',
      'Italian',
      'Portuguese',
      'Dutch',
      'Japanese',
      'Chinese',
      'Hindi',
      'Arabic',
    ],
  },
  accounts: {
    verticals: ['Technology', 'Finance', 'Health', 'Industry', 'Trade', 'Public sector', 'Other'],
    segments: ['Enterprise', 'Mid-market', 'Small business', 'Startup', 'Public sector'],
    regions: ['North America', 'Latin America', 'Europe', 'Middle East and Africa', 'Asia Pacific'],
  },
  projects: {
    lost_reasons: ['Price', 'Timing', 'Competitor', 'No budget', 'No decision', 'Missing feature'],
    billing_models: [
      'Fixed price',
      'Time and material',
      'Subscription',
      'Retainer',
      'Non-billable',
    ],
    billing_frequencies: ['Once', 'Monthly', 'Quarterly', 'Half-yearly', 'Yearly', 'By milestone'],
    currencies: ['USD', 'EUR', 'GBP', 'CHF', 'CAD', 'AUD', 'INR', 'JPY'],
  },
  tasks: {
    priorities: ['Low', 'Medium', 'High', 'Urgent'],
  },
}

/** The stored value of a label in a set: `Series A` → `series_a`. */
export function valueOf(label: string, set?: string): string {
  // currencies are stored by their codes
  if (set === 'currencies') return label.trim().toUpperCase()
  return label
    .toLowerCase()
    .replace(/[^a-z0-9+]+/g, '_')
    .replace(/^_|_$/g, '')
}
