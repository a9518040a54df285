// printed by connectors/build.ts from the catalogue and the API document
import type { Model } from './model.ts'

export const catalogue: Model = {
  "records": [
    {
      "word": "company",
      "label": "Company",
      "plural": "Companies",
      "id": "company_id",
      "title": "company_name",
      "list": {
        "path": "/automation/company",
        "query": {}
      },
      "read": {
        "path": "/automation/company",
        "parameter": "company_id"
      },
      "create": {
        "path": "/automation/company",
        "body": {},
        "isUpsert": true
      },
      "update": {
        "path": "/automation/company/{id}"
      },
      "find": [
        {
          "key": "domain",
          "label": "Domain"
        },
        {
          "key": "company_name",
          "label": "Company Name"
        }
      ],
      "sample": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "company_id": "03h9vqz0k4m2c0m5p8a1n6y3d",
        "display_id": "A-1042",
        "company_name": "Northwind Traders",
        "domain": "northwind.example",
        "linkedin_url": "https://www.linkedin.com/company/northwind",
        "twitter_url": "https://twitter.com/northwind",
        "website_url": "https://northwind.example/",
        "hq_location": "Lyon",
        "hq_country": "France",
        "industry": "Software",
        "employee_range": "51-200",
        "revenue_range": "1M-10M",
        "estimated_arr": 48000,
        "description": "Rollout in three regions",
        "logo_url": "https://northwind.example/logo.png",
        "company_owner": {
          "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
          "full_name": "Ada Example",
          "email": "ada@northwind.example",
          "role": "member",
          "profile_image": "https://northwind.example/ada.png"
        },
        "company_type": "prospect",
        "lead_status": "qualified",
        "icp_fit": "high",
        "customer_segment": "mid_market",
        "connection_strength": "strong",
        "connection_source": "referral",
        "operating_regions": [
          "EMEA"
        ],
        "category": "category",
        "vendor_being_replaced": "Contoso",
        "replacement_urgency": "this_quarter",
        "partner_type": "reseller",
        "parent_company": "parent company",
        "investors": [
          {}
        ],
        "partners": [
          {}
        ],
        "subsidiaries": [
          {}
        ],
        "address": {
          "country": "France",
          "state": "Rhône",
          "city": "Lyon",
          "address": "12 Rue de la République",
          "zip_code": "69002"
        },
        "tags": [
          "priority"
        ],
        "contacts_count": 1,
        "is_draft": false,
        "creation_time": "2026-01-12T08:00:00.000Z",
        "last_update_time": "2026-01-15T09:30:00.000Z",
        "record_source": "integration",
        "custom_fields": {
          "tier": "gold"
        },
        "associated_deal_project": [
          {
            "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
            "project_name": "Northwind rollout",
            "project_type": "deal",
            "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "expected_deal_value": 24000
          }
        ],
        "version": 3
      },
      "fields": [
        {
          "key": "company_name",
          "label": "Company Name",
          "type": "text",
          "help": "The name of the company",
          "isRequired": true
        },
        {
          "key": "domain",
          "label": "Domain",
          "type": "text",
          "help": "The domain of its website, such as acme.com; no two companies share one"
        },
        {
          "key": "website_url",
          "label": "Website",
          "type": "url",
          "help": "The address of its website"
        },
        {
          "key": "linkedin_url",
          "label": "LinkedIn URL",
          "type": "url",
          "help": "The address of its page at LinkedIn"
        },
        {
          "key": "twitter_url",
          "label": "Twitter URL",
          "type": "url",
          "help": "The address of its page at X, formerly Twitter"
        },
        {
          "key": "company_owner",
          "label": "Owner",
          "type": "select",
          "help": "The user who owns the company",
          "dropdown": "user"
        },
        {
          "key": "company_type",
          "label": "Type",
          "type": "select",
          "help": "What the company is to you",
          "dropdown": "company_type"
        },
        {
          "key": "industry",
          "label": "Industry",
          "type": "select",
          "help": "Its industry",
          "dropdown": "industry"
        },
        {
          "key": "customer_segment",
          "label": "Segment",
          "type": "select",
          "help": "The segment it is part of",
          "dropdown": "customer_segment"
        },
        {
          "key": "employee_range",
          "label": "Employees",
          "type": "select",
          "help": "How many people work there",
          "dropdown": "employee_range"
        },
        {
          "key": "revenue_range",
          "label": "Revenue",
          "type": "select",
          "help": "Its revenue in a year",
          "dropdown": "revenue_range"
        },
        {
          "key": "estimated_arr",
          "label": "Estimated ARR",
          "type": "number",
          "help": "The annual recurring revenue that you expect"
        },
        {
          "key": "lead_status",
          "label": "Lead Status",
          "type": "text",
          "help": "How far the lead is"
        },
        {
          "key": "icp_fit",
          "label": "ICP Fit",
          "type": "text",
          "help": "How well it fits your ideal customer profile"
        },
        {
          "key": "hq_location",
          "label": "HQ Location",
          "type": "text",
          "help": "Where its headquarters are"
        },
        {
          "key": "hq_country",
          "label": "HQ Country",
          "type": "text",
          "help": "The country of its headquarters"
        },
        {
          "key": "parent_company",
          "label": "Parent Company",
          "type": "select",
          "help": "The company that it is part of",
          "dropdown": "company"
        },
        {
          "key": "operating_regions",
          "label": "Operating Regions",
          "type": "list",
          "help": "Regions where it works"
        },
        {
          "key": "address",
          "label": "Address",
          "type": "address",
          "help": "An object with address, city, state, zip_code and country"
        },
        {
          "key": "description",
          "label": "Description",
          "type": "long_text",
          "help": "What the company does"
        },
        {
          "key": "tags",
          "label": "Tags",
          "type": "list",
          "help": "Words that it is found by"
        }
      ],
      "customFields": {
        "path": "/automation/company",
        "query": {
          "field_config": "true"
        },
        "at": "fields"
      }
    },
    {
      "word": "contact",
      "label": "Contact",
      "plural": "Contacts",
      "id": "contact_id",
      "title": "full_name",
      "list": {
        "path": "/automation/contact",
        "query": {}
      },
      "read": {
        "path": "/automation/contact",
        "parameter": "contact_id"
      },
      "create": {
        "path": "/automation/contact",
        "body": {},
        "isUpsert": true
      },
      "update": {
        "path": "/automation/contact/{id}"
      },
      "find": [
        {
          "key": "email",
          "label": "Email"
        },
        {
          "key": "full_name",
          "label": "Full Name"
        }
      ],
      "sample": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "contact_id": "03h9vqz0k4m2c0n5t8a1c6t3d",
        "display_id": "A-1042",
        "full_name": "Ada Example",
        "profile_image": "https://northwind.example/ada.png",
        "profile_image_url": "https://northwind.example/ada.png",
        "primary_email": "ada@northwind.example",
        "company": {
          "company_id": "03h9vqz0k4m2c0m5p8a1n6y3d",
          "company_name": "Northwind Traders",
          "domain": "northwind.example",
          "logo_url": "https://northwind.example/logo.png"
        },
        "lead_source": "website",
        "contact_owner": {
          "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
          "full_name": "Ada Example",
          "email": "ada@northwind.example",
          "role": "member",
          "profile_image": "https://northwind.example/ada.png"
        },
        "associated_deals": [
          {
            "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
            "project_name": "Northwind rollout",
            "project_type": "deal",
            "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "expected_deal_value": 24000
          }
        ],
        "lead_status": "qualified",
        "person_category": "decision_maker",
        "custom_fields": {
          "tier": "gold"
        },
        "contact_stage": "lead",
        "is_draft": false,
        "job_title": "Head of Operations",
        "department": "Operations",
        "location": {},
        "language": "en",
        "seniority_level": "director",
        "buying_role": "champion",
        "influence_level": 1,
        "interest_level": 1,
        "preferred_communication_channel": "email",
        "do_not_contact": "no",
        "phone": "+33 4 55 50 01 00",
        "whatsapp_number": "+33 6 55 50 01 00",
        "campaign": "Spring 2026",
        "timezone": "Europe/Paris",
        "signoff_authority": "up to 10,000",
        "lead_score": 72,
        "last_activity_date": "2026-01-15T09:30:00.000Z",
        "linkedin_url": "https://www.linkedin.com/company/northwind",
        "twitter_url": "https://twitter.com/northwind",
        "linked_user": {
          "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
          "full_name": "Ada Example",
          "email": "ada@northwind.example",
          "role": "member",
          "profile_image": "https://northwind.example/ada.png"
        },
        "creation_time": "2026-01-12T08:00:00.000Z",
        "last_update_time": "2026-01-15T09:30:00.000Z",
        "reports_to": {
          "contact_id": "03h9vqz0k4m2c0n5t8a1c6t3d",
          "full_name": "Ada Example",
          "job_title": "Head of Operations"
        },
        "reporting_hierarchy_level": 2,
        "reporting_confidence": 1,
        "reporting_source": "LinkedIn",
        "tags": [
          "priority"
        ],
        "record_source": "integration",
        "associated_deal_project": [
          {
            "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
            "project_name": "Northwind rollout",
            "project_type": "deal",
            "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "expected_deal_value": 24000
          }
        ],
        "login_info": {
          "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
          "email": "ada@northwind.example",
          "is_active": true
        },
        "version": 3
      },
      "fields": [
        {
          "key": "full_name",
          "label": "Full Name",
          "type": "text",
          "help": "The name of the person",
          "isRequired": true
        },
        {
          "key": "primary_email",
          "label": "Email",
          "type": "email",
          "help": "The address for mail; no two contacts share one"
        },
        {
          "key": "phone",
          "label": "Phone",
          "type": "phone",
          "help": "The telephone number"
        },
        {
          "key": "whatsapp_number",
          "label": "WhatsApp Number",
          "type": "phone",
          "help": "The number at WhatsApp"
        },
        {
          "key": "company",
          "label": "Company",
          "type": "select",
          "help": "The company where the person works",
          "dropdown": "company"
        },
        {
          "key": "job_title",
          "label": "Job Title",
          "type": "text",
          "help": "What the person does there"
        },
        {
          "key": "department",
          "label": "Department",
          "type": "text",
          "help": "The department there"
        },
        {
          "key": "contact_owner",
          "label": "Owner",
          "type": "select",
          "help": "The user who owns the contact",
          "dropdown": "user"
        },
        {
          "key": "lead_source",
          "label": "Lead Source",
          "type": "select",
          "help": "Where the contact came from",
          "dropdown": "lead_source"
        },
        {
          "key": "lead_status",
          "label": "Lead Status",
          "type": "select",
          "help": "How far the lead is",
          "dropdown": "lead_status"
        },
        {
          "key": "lead_score",
          "label": "Lead Score",
          "type": "number",
          "help": "A number; more is better"
        },
        {
          "key": "contact_stage",
          "label": "Stage",
          "type": "select",
          "help": "The stage of the contact",
          "dropdown": "contact_stage"
        },
        {
          "key": "person_category",
          "label": "Category",
          "type": "select",
          "help": "What the person is to you",
          "dropdown": "person_category"
        },
        {
          "key": "seniority_level",
          "label": "Seniority",
          "type": "select",
          "help": "The level of the position",
          "dropdown": "seniority_level"
        },
        {
          "key": "buying_role",
          "label": "Buying Role",
          "type": "select",
          "help": "The part taken in decisions",
          "dropdown": "buying_role"
        },
        {
          "key": "preferred_communication_channel",
          "label": "Preferred Channel",
          "type": "select",
          "help": "How the person wants to be reached",
          "dropdown": "communication_channel"
        },
        {
          "key": "do_not_contact",
          "label": "Do Not Contact",
          "type": "select",
          "help": "Whether the person must not be contacted",
          "options": [
            {
              "value": "yes",
              "label": "Yes"
            },
            {
              "value": "no",
              "label": "No"
            }
          ]
        },
        {
          "key": "language",
          "label": "Language",
          "type": "select",
          "help": "The language of the person",
          "dropdown": "language"
        },
        {
          "key": "timezone",
          "label": "Time Zone",
          "type": "text",
          "help": "An IANA name, such as Europe/Berlin"
        },
        {
          "key": "linkedin_url",
          "label": "LinkedIn URL",
          "type": "url",
          "help": "The address of the page at LinkedIn"
        },
        {
          "key": "campaign",
          "label": "Campaign",
          "type": "text",
          "help": "The campaign that the contact came by"
        },
        {
          "key": "tags",
          "label": "Tags",
          "type": "list",
          "help": "Words that it is found by"
        }
      ],
      "customFields": {
        "path": "/automation/contact",
        "query": {
          "field_config": "true"
        },
        "at": "fields"
      }
    },
    {
      "word": "deal",
      "label": "Deal",
      "plural": "Deals",
      "id": "project_id",
      "title": "project_name",
      "list": {
        "path": "/automation/project",
        "query": {
          "project_type": "deal"
        }
      },
      "read": {
        "path": "/automation/project/{id}"
      },
      "create": {
        "path": "/automation/project",
        "body": {
          "project_type": "deal"
        },
        "isUpsert": false
      },
      "update": {
        "path": "/automation/project/{id}"
      },
      "find": [
        {
          "key": "project_name",
          "label": "Deal Name"
        }
      ],
      "sample": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
        "display_id": "A-1042",
        "project_name": "Northwind rollout",
        "description": "Rollout in three regions",
        "project_type": "deal",
        "project_type_str": "Deal",
        "start_date": "2026-01-12",
        "due_date": "2026-03-31",
        "forecasted_date": "2026-04-10",
        "show_forecasted_date": false,
        "project_score": 50,
        "tasks_count": 4,
        "milestones_count": 2,
        "phase": {
          "name": "Discovery"
        },
        "tags": [
          "priority"
        ],
        "status": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
          "status_key": "not_started",
          "status_name": "Not started",
          "color": "#3b82f6",
          "icon": "flag",
          "category": "not_started"
        },
        "project_manager": {
          "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
          "full_name": "Ada Example",
          "email": "ada@northwind.example",
          "role": "member",
          "profile_image": "https://northwind.example/ada.png"
        },
        "project_owner": {
          "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
          "full_name": "Ada Example",
          "email": "ada@northwind.example",
          "role": "member",
          "profile_image": "https://northwind.example/ada.png"
        },
        "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
        "account": {
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "account_name": "Northwind Traders"
        },
        "company_id": "03h9vqz0k4m2c0m5p8a1n6y3d",
        "customer": "customer",
        "customer_project_owner": {
          "contact_id": "03h9vqz0k4m2c0n5t8a1c6t3d",
          "full_name": "Ada Example",
          "email": "ada@northwind.example",
          "phone": "+33 4 55 50 01 00"
        },
        "is_arr": false,
        "revenue": 24000,
        "other_revenue": 1500,
        "project_fee": 5000,
        "expected_deal_value": 24000,
        "expected_onboarding_fee": 2000,
        "hourly_rate": 120,
        "monthly_rate": 2000,
        "calculated_revenue": 25500,
        "formatted_deal_value": "€24,000.00",
        "formatted_revenue": "€24,000.00",
        "formatted_other_revenue": "€1,500.00",
        "currency_unit": "EUR",
        "billing_model": "fixed_price",
        "billing_frequency": "monthly",
        "contract_duration": 12,
        "deal_resources": 3,
        "project_duration": 60,
        "template_id": "03h9vqz0k4m2t0m5p8l1t6e3d",
        "template_name": "Onboarding",
        "template_desc": "Plan of an onboarding",
        "pipeline_id": "03h9vqz0k4m2p1p5e8l1n6e3d",
        "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
        "lost_reason": null,
        "closed_at": null,
        "completed_at": null,
        "stages": [
          {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "name": "Kick-off",
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "stage_name": "Qualification",
            "stage_key": "qualification",
            "category": "open",
            "probability": 20,
            "color": "#3b82f6",
            "position": 0,
            "status": {
              "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
              "status_key": "not_started",
              "status_name": "Not started"
            }
          }
        ],
        "pipeline_stages": [
          {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "name": "Kick-off",
            "stage_name": "Qualification",
            "stage_key": "qualification",
            "category": "open",
            "probability": 20,
            "color": "#3b82f6",
            "position": 0
          }
        ],
        "current_stage": {
          "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
          "name": "Kick-off",
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "stage_name": "Qualification",
          "stage_key": "qualification",
          "category": "open",
          "probability": 20,
          "color": "#3b82f6",
          "position": 0,
          "status": {
            "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
            "status_key": "not_started",
            "status_name": "Not started"
          }
        },
        "current_pipe_stage": {
          "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "name": "Kick-off",
          "stage_name": "Qualification",
          "stage_key": "qualification",
          "category": "open",
          "probability": 20,
          "color": "#3b82f6",
          "position": 0
        },
        "current_milestone_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "milestone_status": {
          "total": 1,
          "completed": 1,
          "overdue": 1
        },
        "insights": {
          "progress": 1,
          "overdue_tasks": 1,
          "score": 72
        },
        "time_left": 12,
        "time_spent": 3600,
        "project_team": [
          {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          }
        ],
        "partner_orgs": [
          {}
        ],
        "visible_to_all": true,
        "is_private": false,
        "is_shared": false,
        "position": 0,
        "rank": "a0",
        "external_map": {
          "crm": "0061x00000A1b2C"
        },
        "holidays_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "converted_from": "converted from",
        "invite_type": "email",
        "object_source": "integration",
        "custom_fields": {
          "tier": "gold"
        },
        "created_by": {
          "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
          "full_name": "Ada Example",
          "email": "ada@northwind.example",
          "role": "member",
          "profile_image": "https://northwind.example/ada.png"
        },
        "creation_time": "2026-01-12T08:00:00.000Z",
        "last_update_time": "2026-01-15T09:30:00.000Z",
        "version": 3
      },
      "fields": [
        {
          "key": "project_name",
          "label": "Deal Name",
          "type": "text",
          "help": "The name of the deal",
          "isRequired": true
        },
        {
          "key": "pipeline_id",
          "label": "Pipeline",
          "type": "select",
          "help": "The default pipeline if empty",
          "dropdown": "pipeline"
        },
        {
          "key": "stage_id",
          "label": "Stage",
          "type": "select",
          "help": "The first stage if empty; another one moves the deal",
          "dropdown": "stage"
        },
        {
          "key": "expected_deal_value",
          "label": "Value",
          "type": "number",
          "help": "What you expect it to bring"
        },
        {
          "key": "forecasted_date",
          "label": "Forecasted Close",
          "type": "date",
          "help": "The day it may close"
        },
        {
          "key": "lost_reason",
          "label": "Lost Reason",
          "type": "select",
          "help": "Why it was lost",
          "dropdown": "lost_reason"
        },
        {
          "key": "contract_duration",
          "label": "Contract Duration",
          "type": "number",
          "help": "Months"
        },
        {
          "key": "is_arr",
          "label": "Is Recurring",
          "type": "boolean",
          "help": "Whether its value recurs every year"
        },
        {
          "key": "description",
          "label": "Description",
          "type": "long_text",
          "help": "What it is about"
        },
        {
          "key": "start_date",
          "label": "Start Date",
          "type": "date",
          "help": "The first day"
        },
        {
          "key": "due_date",
          "label": "Due Date",
          "type": "date",
          "help": "The day it is due"
        },
        {
          "key": "project_owner",
          "label": "Owner",
          "type": "select",
          "help": "The user who owns it",
          "dropdown": "user"
        },
        {
          "key": "company_id",
          "label": "Company",
          "type": "select",
          "help": "The company it is for",
          "dropdown": "company"
        },
        {
          "key": "customer",
          "label": "Customer Contact",
          "type": "select",
          "help": "The contact at the customer",
          "dropdown": "contact"
        },
        {
          "key": "billing_model",
          "label": "Billing Model",
          "type": "select",
          "help": "How it is billed",
          "dropdown": "billing_model"
        },
        {
          "key": "billing_frequency",
          "label": "Billing Frequency",
          "type": "select",
          "help": "How often it is billed",
          "dropdown": "billing_frequency"
        },
        {
          "key": "tags",
          "label": "Tags",
          "type": "list",
          "help": "Words that it is found by"
        }
      ],
      "customFields": {
        "path": "/automation/project",
        "query": {
          "project_type": "deal",
          "field_config": "true"
        },
        "at": "fields"
      }
    },
    {
      "word": "project",
      "label": "Project",
      "plural": "Projects",
      "id": "project_id",
      "title": "project_name",
      "list": {
        "path": "/automation/project",
        "query": {
          "project_type": "project"
        }
      },
      "read": {
        "path": "/automation/project/{id}"
      },
      "create": {
        "path": "/automation/project",
        "body": {
          "project_type": "project"
        },
        "isUpsert": false
      },
      "update": {
        "path": "/automation/project/{id}"
      },
      "find": [
        {
          "key": "project_name",
          "label": "Project Name"
        }
      ],
      "sample": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
        "display_id": "A-1042",
        "project_name": "Northwind rollout",
        "description": "Rollout in three regions",
        "project_type": "project",
        "project_type_str": "Deal",
        "start_date": "2026-01-12",
        "due_date": "2026-03-31",
        "forecasted_date": "2026-04-10",
        "show_forecasted_date": false,
        "project_score": 50,
        "tasks_count": 4,
        "milestones_count": 2,
        "phase": {
          "name": "Discovery"
        },
        "tags": [
          "priority"
        ],
        "status": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
          "status_key": "not_started",
          "status_name": "Not started",
          "color": "#3b82f6",
          "icon": "flag",
          "category": "not_started"
        },
        "project_manager": {
          "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
          "full_name": "Ada Example",
          "email": "ada@northwind.example",
          "role": "member",
          "profile_image": "https://northwind.example/ada.png"
        },
        "project_owner": {
          "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
          "full_name": "Ada Example",
          "email": "ada@northwind.example",
          "role": "member",
          "profile_image": "https://northwind.example/ada.png"
        },
        "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
        "account": {
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "account_name": "Northwind Traders"
        },
        "company_id": "03h9vqz0k4m2c0m5p8a1n6y3d",
        "customer": "customer",
        "customer_project_owner": {
          "contact_id": "03h9vqz0k4m2c0n5t8a1c6t3d",
          "full_name": "Ada Example",
          "email": "ada@northwind.example",
          "phone": "+33 4 55 50 01 00"
        },
        "is_arr": false,
        "revenue": 24000,
        "other_revenue": 1500,
        "project_fee": 5000,
        "expected_deal_value": 24000,
        "expected_onboarding_fee": 2000,
        "hourly_rate": 120,
        "monthly_rate": 2000,
        "calculated_revenue": 25500,
        "formatted_deal_value": "€24,000.00",
        "formatted_revenue": "€24,000.00",
        "formatted_other_revenue": "€1,500.00",
        "currency_unit": "EUR",
        "billing_model": "fixed_price",
        "billing_frequency": "monthly",
        "contract_duration": 12,
        "deal_resources": 3,
        "project_duration": 60,
        "template_id": "03h9vqz0k4m2t0m5p8l1t6e3d",
        "template_name": "Onboarding",
        "template_desc": "Plan of an onboarding",
        "pipeline_id": "03h9vqz0k4m2p1p5e8l1n6e3d",
        "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
        "lost_reason": null,
        "closed_at": null,
        "completed_at": null,
        "stages": [
          {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "name": "Kick-off",
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "stage_name": "Qualification",
            "stage_key": "qualification",
            "category": "open",
            "probability": 20,
            "color": "#3b82f6",
            "position": 0,
            "status": {
              "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
              "status_key": "not_started",
              "status_name": "Not started"
            }
          }
        ],
        "pipeline_stages": [
          {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "name": "Kick-off",
            "stage_name": "Qualification",
            "stage_key": "qualification",
            "category": "open",
            "probability": 20,
            "color": "#3b82f6",
            "position": 0
          }
        ],
        "current_stage": {
          "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
          "name": "Kick-off",
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "stage_name": "Qualification",
          "stage_key": "qualification",
          "category": "open",
          "probability": 20,
          "color": "#3b82f6",
          "position": 0,
          "status": {
            "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
            "status_key": "not_started",
            "status_name": "Not started"
          }
        },
        "current_pipe_stage": {
          "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "name": "Kick-off",
          "stage_name": "Qualification",
          "stage_key": "qualification",
          "category": "open",
          "probability": 20,
          "color": "#3b82f6",
          "position": 0
        },
        "current_milestone_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "milestone_status": {
          "total": 1,
          "completed": 1,
          "overdue": 1
        },
        "insights": {
          "progress": 1,
          "overdue_tasks": 1,
          "score": 72
        },
        "time_left": 12,
        "time_spent": 3600,
        "project_team": [
          {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          }
        ],
        "partner_orgs": [
          {}
        ],
        "visible_to_all": true,
        "is_private": false,
        "is_shared": false,
        "position": 0,
        "rank": "a0",
        "external_map": {
          "crm": "0061x00000A1b2C"
        },
        "holidays_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "converted_from": "converted from",
        "invite_type": "email",
        "object_source": "integration",
        "custom_fields": {
          "tier": "gold"
        },
        "created_by": {
          "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
          "full_name": "Ada Example",
          "email": "ada@northwind.example",
          "role": "member",
          "profile_image": "https://northwind.example/ada.png"
        },
        "creation_time": "2026-01-12T08:00:00.000Z",
        "last_update_time": "2026-01-15T09:30:00.000Z",
        "version": 3
      },
      "fields": [
        {
          "key": "project_name",
          "label": "Project Name",
          "type": "text",
          "help": "The name of the project",
          "isRequired": true
        },
        {
          "key": "org_temp_id",
          "label": "Template",
          "type": "select",
          "help": "The template whose plan it begins with",
          "dropdown": "template"
        },
        {
          "key": "status",
          "label": "Status",
          "type": "text",
          "help": "The key of a status, such as in_progress"
        },
        {
          "key": "project_manager",
          "label": "Manager",
          "type": "select",
          "help": "The user who manages it",
          "dropdown": "user"
        },
        {
          "key": "project_fee",
          "label": "Fee",
          "type": "number",
          "help": "What the customer pays"
        },
        {
          "key": "is_private",
          "label": "Is Private",
          "type": "boolean",
          "help": "Whether only its team sees it"
        },
        {
          "key": "description",
          "label": "Description",
          "type": "long_text",
          "help": "What it is about"
        },
        {
          "key": "start_date",
          "label": "Start Date",
          "type": "date",
          "help": "The first day"
        },
        {
          "key": "due_date",
          "label": "Due Date",
          "type": "date",
          "help": "The day it is due"
        },
        {
          "key": "project_owner",
          "label": "Owner",
          "type": "select",
          "help": "The user who owns it",
          "dropdown": "user"
        },
        {
          "key": "company_id",
          "label": "Company",
          "type": "select",
          "help": "The company it is for",
          "dropdown": "company"
        },
        {
          "key": "customer",
          "label": "Customer Contact",
          "type": "select",
          "help": "The contact at the customer",
          "dropdown": "contact"
        },
        {
          "key": "billing_model",
          "label": "Billing Model",
          "type": "select",
          "help": "How it is billed",
          "dropdown": "billing_model"
        },
        {
          "key": "billing_frequency",
          "label": "Billing Frequency",
          "type": "select",
          "help": "How often it is billed",
          "dropdown": "billing_frequency"
        },
        {
          "key": "tags",
          "label": "Tags",
          "type": "list",
          "help": "Words that it is found by"
        }
      ],
      "customFields": {
        "path": "/automation/project",
        "query": {
          "project_type": "project",
          "field_config": "true"
        },
        "at": "fields"
      }
    },
    {
      "word": "task",
      "label": "Task",
      "plural": "Tasks",
      "id": "task_id",
      "title": "title",
      "list": {
        "path": "/automation/task",
        "query": {}
      },
      "read": {
        "path": "/automation/task/{id}"
      },
      "create": {
        "path": "/automation/task",
        "body": {},
        "isUpsert": false
      },
      "update": {
        "path": "/automation/task/{id}"
      },
      "find": [
        {
          "key": "title",
          "label": "Title"
        }
      ],
      "sample": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "item_id": "03h9vqz0k4m2t0a5s8k1n6d3d",
        "task_id": "03h9vqz0k4m2t0a5s8k1n6d3d",
        "display_id": "A-1042",
        "title": "Call Ada",
        "description": "Rollout in three regions",
        "item_type": 1,
        "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
        "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
        "project_name": "Northwind rollout",
        "milestone_id": "03h9vqz0k4m2m0l5s8t1n6e3d",
        "milestone_name": "Kick-off",
        "parent_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "status": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
          "status_key": "not_started",
          "status_name": "Not started",
          "color": "#3b82f6",
          "icon": "flag",
          "category": "not_started"
        },
        "is_completed": false,
        "completed_at": null,
        "priority": {
          "value": "software",
          "label": "Software",
          "color": "#3b82f6",
          "icon": "flag"
        },
        "owner": {
          "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
          "full_name": "Ada Example",
          "email": "ada@northwind.example",
          "role": "member",
          "profile_image": "https://northwind.example/ada.png"
        },
        "users": [
          {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "profile_image": "https://northwind.example/ada.png"
          }
        ],
        "tags": [
          "priority"
        ],
        "start_date": "2026-01-12",
        "due_date": "2026-03-31",
        "is_pinned": false,
        "is_private": false,
        "is_shared": false,
        "visibility": "shared",
        "is_starred": false,
        "is_predefined": false,
        "is_risk": false,
        "is_blocked": false,
        "attachments": [
          {
            "attach_id": "03h9vqz0k4m2d0c5m8t1n6t3d",
            "document_name": "Offer",
            "file_name": "offer.pdf",
            "file_type": "application/pdf",
            "file_size": 48213,
            "file_icon": "pdf"
          }
        ],
        "time_track_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "is_timer_running": false,
        "total_elapsed_time": 0,
        "sub_items": [
          {
            "item_id": "03h9vqz0k4m2t0a5s8k1n6d3d",
            "title": "Call Ada",
            "is_completed": false,
            "due_date": "2026-03-31",
            "position": 0
          }
        ],
        "position": 0,
        "rank": "a0",
        "is_recurring": false,
        "is_recurring_child": false,
        "parent_recurring_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "recurrence_pattern": null,
        "recurrence_status": null,
        "form_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "form_structure": {},
        "form_responses": {},
        "meeting_summary_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "calendar_id": "03h9vqz0k4m2c0a5l8n1d6r3d",
        "external_map": {
          "crm": "0061x00000A1b2C"
        },
        "custom_fields": {
          "tier": "gold"
        },
        "created_by": {
          "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
          "full_name": "Ada Example",
          "email": "ada@northwind.example",
          "role": "member",
          "profile_image": "https://northwind.example/ada.png"
        },
        "creation_time": "2026-01-12T08:00:00.000Z",
        "last_update_time": "2026-01-15T09:30:00.000Z",
        "version": 3
      },
      "fields": [
        {
          "key": "title",
          "label": "Title",
          "type": "text",
          "help": "What is to be done",
          "isRequired": true
        },
        {
          "key": "project_id",
          "label": "Project",
          "type": "select",
          "help": "The project or deal it is part of",
          "dropdown": "project_or_deal",
          "isRequired": true
        },
        {
          "key": "milestone_id",
          "label": "Milestone",
          "type": "select",
          "help": "The milestone it is part of",
          "dropdown": "milestone"
        },
        {
          "key": "description",
          "label": "Description",
          "type": "long_text",
          "help": "What it is about"
        },
        {
          "key": "owner",
          "label": "Owner",
          "type": "select",
          "help": "The user who does it",
          "dropdown": "user"
        },
        {
          "key": "status",
          "label": "Status",
          "type": "select",
          "help": "A status, or its key, such as in_progress",
          "dropdown": "task_status"
        },
        {
          "key": "priority",
          "label": "Priority",
          "type": "text",
          "help": "Such as low, medium or high"
        },
        {
          "key": "start_date",
          "label": "Start Date",
          "type": "date",
          "help": "The first day"
        },
        {
          "key": "due_date",
          "label": "Due Date",
          "type": "date",
          "help": "The day it is due"
        },
        {
          "key": "is_completed",
          "label": "Is Completed",
          "type": "boolean",
          "help": "Yes completes the task"
        },
        {
          "key": "is_blocked",
          "label": "Is Blocked",
          "type": "boolean",
          "help": "Whether something stands in its way"
        },
        {
          "key": "tags",
          "label": "Tags",
          "type": "list",
          "help": "Words that it is found by"
        }
      ],
      "customFields": {
        "path": "/automation/task",
        "query": {
          "field_config": "true"
        },
        "at": "fields"
      }
    }
  ],
  "dropdowns": {
    "user": {
      "path": "/automation/users",
      "query": {
        "limit": "500",
        "sort": "full_name"
      },
      "at": "results",
      "value": "user_id",
      "label": "full_name"
    },
    "company": {
      "path": "/automation/company",
      "query": {
        "sort": "-last_update_time",
        "limit": "100"
      },
      "at": "results",
      "value": "company_id",
      "label": "company_name"
    },
    "contact": {
      "path": "/automation/contact",
      "query": {
        "sort": "-last_update_time",
        "limit": "100"
      },
      "at": "results",
      "value": "contact_id",
      "label": "full_name"
    },
    "deal": {
      "path": "/automation/project",
      "query": {
        "sort": "-last_update_time",
        "limit": "100",
        "project_type": "deal"
      },
      "at": "results",
      "value": "project_id",
      "label": "project_name"
    },
    "project": {
      "path": "/automation/project",
      "query": {
        "sort": "-last_update_time",
        "limit": "100",
        "project_type": "project"
      },
      "at": "results",
      "value": "project_id",
      "label": "project_name"
    },
    "project_or_deal": {
      "path": "/automation/project",
      "query": {
        "sort": "-last_update_time",
        "limit": "100",
        "project_type": "any"
      },
      "at": "results",
      "value": "project_id",
      "label": "project_name"
    },
    "task": {
      "path": "/automation/task",
      "query": {
        "sort": "-last_update_time",
        "limit": "100"
      },
      "at": "results",
      "value": "task_id",
      "label": "title"
    },
    "template": {
      "path": "/automation/templates",
      "query": {
        "limit": "100"
      },
      "at": "results",
      "value": "org_temp_id",
      "label": "template_name"
    },
    "milestone": {
      "path": "/automation/project/{project_id}",
      "query": {
        "options": "options"
      },
      "after": "project_id",
      "at": "milestones",
      "value": "milestone_id",
      "label": "milestone_name"
    },
    "task_status": {
      "path": "/automation/project/{project_id}",
      "query": {
        "options": "options"
      },
      "after": "project_id",
      "at": "task_statuses",
      "value": "status_id",
      "label": "status_name"
    },
    "pipeline": {
      "path": "/automation/deal/options",
      "query": {},
      "value": "pipeline_id",
      "label": "pipeline_name",
      "at": "pipelines"
    },
    "stage": {
      "path": "/automation/deal/options",
      "query": {},
      "at": "deal_stages",
      "value": "stage_id",
      "label": "stage_name",
      "after": "pipeline_id",
      "restricts": true
    },
    "lost_reason": {
      "path": "/automation/deal/options",
      "query": {},
      "value": "value",
      "label": "label",
      "at": "lost_reasons"
    },
    "billing_model": {
      "path": "/automation/deal/options",
      "query": {},
      "value": "value",
      "label": "label",
      "at": "billing_models"
    },
    "billing_frequency": {
      "path": "/automation/deal/options",
      "query": {},
      "value": "value",
      "label": "label",
      "at": "billing_frequencies"
    },
    "company_type": {
      "path": "/automation/company",
      "query": {
        "options": "true"
      },
      "at": "types",
      "value": "value",
      "label": "label"
    },
    "industry": {
      "path": "/automation/company",
      "query": {
        "options": "true"
      },
      "at": "industries",
      "value": "value",
      "label": "label"
    },
    "customer_segment": {
      "path": "/automation/company",
      "query": {
        "options": "true"
      },
      "at": "segments",
      "value": "value",
      "label": "label"
    },
    "employee_range": {
      "path": "/automation/company",
      "query": {
        "options": "true"
      },
      "at": "employee_ranges",
      "value": "value",
      "label": "label"
    },
    "revenue_range": {
      "path": "/automation/company",
      "query": {
        "options": "true"
      },
      "at": "revenue_ranges",
      "value": "value",
      "label": "label"
    },
    "lead_source": {
      "path": "/automation/contact",
      "query": {
        "options": "true"
      },
      "at": "lead_sources",
      "value": "value",
      "label": "label"
    },
    "lead_status": {
      "path": "/automation/contact",
      "query": {
        "options": "true"
      },
      "at": "lead_statuses",
      "value": "value",
      "label": "label"
    },
    "contact_stage": {
      "path": "/automation/contact",
      "query": {
        "options": "true"
      },
      "at": "contact_stages",
      "value": "value",
      "label": "label"
    },
    "person_category": {
      "path": "/automation/contact",
      "query": {
        "options": "true"
      },
      "at": "person_categories",
      "value": "value",
      "label": "label"
    },
    "seniority_level": {
      "path": "/automation/contact",
      "query": {
        "options": "true"
      },
      "at": "seniority_levels",
      "value": "value",
      "label": "label"
    },
    "buying_role": {
      "path": "/automation/contact",
      "query": {
        "options": "true"
      },
      "at": "buying_roles",
      "value": "value",
      "label": "label"
    },
    "communication_channel": {
      "path": "/automation/contact",
      "query": {
        "options": "true"
      },
      "at": "preferred_communication_channels",
      "value": "value",
      "label": "label"
    },
    "language": {
      "path": "/automation/contact",
      "query": {
        "options": "true"
      },
      "at": "languages",
      "value": "value",
      "label": "label"
    }
  },
  "triggers": [
    {
      "event": "company_created",
      "label": "New Company",
      "help": "A company was created",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "company_created",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "company_id": "03h9vqz0k4m2c0m5p8a1n6y3d",
          "display_id": "A-1042",
          "company_name": "Northwind Traders",
          "domain": "northwind.example",
          "linkedin_url": "https://www.linkedin.com/company/northwind",
          "twitter_url": "https://twitter.com/northwind",
          "website_url": "https://northwind.example/",
          "hq_location": "Lyon",
          "hq_country": "France",
          "industry": "Software",
          "employee_range": "51-200",
          "revenue_range": "1M-10M",
          "estimated_arr": 48000,
          "description": "Rollout in three regions",
          "logo_url": "https://northwind.example/logo.png",
          "company_owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "company_type": "prospect",
          "lead_status": "qualified",
          "icp_fit": "high",
          "customer_segment": "mid_market",
          "connection_strength": "strong",
          "connection_source": "referral",
          "operating_regions": [
            "EMEA"
          ],
          "category": "category",
          "vendor_being_replaced": "Contoso",
          "replacement_urgency": "this_quarter",
          "partner_type": "reseller",
          "parent_company": "parent company",
          "investors": [
            {}
          ],
          "partners": [
            {}
          ],
          "subsidiaries": [
            {}
          ],
          "address": {
            "country": "France",
            "state": "Rhône",
            "city": "Lyon",
            "address": "address",
            "zip_code": "69002"
          },
          "tags": [
            "priority"
          ],
          "contacts_count": 1,
          "is_draft": false,
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "record_source": "integration",
          "custom_fields": {
            "tier": "gold"
          },
          "associated_deal_project": [
            {
              "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
              "project_name": "Northwind rollout",
              "project_type": "deal",
              "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "expected_deal_value": 24000
            }
          ],
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "company_name"
          ],
          "from": {
            "company_name": null
          },
          "to": {
            "company_name": "Northwind Traders"
          }
        }
      }
    },
    {
      "event": "company_updated",
      "label": "Company Updated",
      "help": "Fields of a company changed",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "company_updated",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "company_id": "03h9vqz0k4m2c0m5p8a1n6y3d",
          "display_id": "A-1042",
          "company_name": "Northwind Traders",
          "domain": "northwind.example",
          "linkedin_url": "https://www.linkedin.com/company/northwind",
          "twitter_url": "https://twitter.com/northwind",
          "website_url": "https://northwind.example/",
          "hq_location": "Lyon",
          "hq_country": "France",
          "industry": "Software",
          "employee_range": "51-200",
          "revenue_range": "1M-10M",
          "estimated_arr": 48000,
          "description": "Rollout in three regions",
          "logo_url": "https://northwind.example/logo.png",
          "company_owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "company_type": "prospect",
          "lead_status": "qualified",
          "icp_fit": "high",
          "customer_segment": "mid_market",
          "connection_strength": "strong",
          "connection_source": "referral",
          "operating_regions": [
            "EMEA"
          ],
          "category": "category",
          "vendor_being_replaced": "Contoso",
          "replacement_urgency": "this_quarter",
          "partner_type": "reseller",
          "parent_company": "parent company",
          "investors": [
            {}
          ],
          "partners": [
            {}
          ],
          "subsidiaries": [
            {}
          ],
          "address": {
            "country": "France",
            "state": "Rhône",
            "city": "Lyon",
            "address": "address",
            "zip_code": "69002"
          },
          "tags": [
            "priority"
          ],
          "contacts_count": 1,
          "is_draft": false,
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "record_source": "integration",
          "custom_fields": {
            "tier": "gold"
          },
          "associated_deal_project": [
            {
              "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
              "project_name": "Northwind rollout",
              "project_type": "deal",
              "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "expected_deal_value": 24000
            }
          ],
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "company_name"
          ],
          "from": {
            "company_name": "Former Northwind Traders"
          },
          "to": {
            "company_name": "Northwind Traders"
          }
        }
      }
    },
    {
      "event": "company_deleted",
      "label": "Company Deleted",
      "help": "A company was deleted",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "company_deleted",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "company_id": "03h9vqz0k4m2c0m5p8a1n6y3d",
          "display_id": "A-1042",
          "company_name": "Northwind Traders",
          "domain": "northwind.example",
          "linkedin_url": "https://www.linkedin.com/company/northwind",
          "twitter_url": "https://twitter.com/northwind",
          "website_url": "https://northwind.example/",
          "hq_location": "Lyon",
          "hq_country": "France",
          "industry": "Software",
          "employee_range": "51-200",
          "revenue_range": "1M-10M",
          "estimated_arr": 48000,
          "description": "Rollout in three regions",
          "logo_url": "https://northwind.example/logo.png",
          "company_owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "company_type": "prospect",
          "lead_status": "qualified",
          "icp_fit": "high",
          "customer_segment": "mid_market",
          "connection_strength": "strong",
          "connection_source": "referral",
          "operating_regions": [
            "EMEA"
          ],
          "category": "category",
          "vendor_being_replaced": "Contoso",
          "replacement_urgency": "this_quarter",
          "partner_type": "reseller",
          "parent_company": "parent company",
          "investors": [
            {}
          ],
          "partners": [
            {}
          ],
          "subsidiaries": [
            {}
          ],
          "address": {
            "country": "France",
            "state": "Rhône",
            "city": "Lyon",
            "address": "address",
            "zip_code": "69002"
          },
          "tags": [
            "priority"
          ],
          "contacts_count": 1,
          "is_draft": false,
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "record_source": "integration",
          "custom_fields": {
            "tier": "gold"
          },
          "associated_deal_project": [
            {
              "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
              "project_name": "Northwind rollout",
              "project_type": "deal",
              "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "expected_deal_value": 24000
            }
          ],
          "version": 3
        },
        "changes": {
          "changed_fields": [],
          "from": {},
          "to": {}
        }
      }
    },
    {
      "event": "company_merged",
      "label": "Companies Merged",
      "help": "Companies were merged into one",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "company_merged",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "company_id": "03h9vqz0k4m2c0m5p8a1n6y3d",
          "display_id": "A-1042",
          "company_name": "Northwind Traders",
          "domain": "northwind.example",
          "linkedin_url": "https://www.linkedin.com/company/northwind",
          "twitter_url": "https://twitter.com/northwind",
          "website_url": "https://northwind.example/",
          "hq_location": "Lyon",
          "hq_country": "France",
          "industry": "Software",
          "employee_range": "51-200",
          "revenue_range": "1M-10M",
          "estimated_arr": 48000,
          "description": "Rollout in three regions",
          "logo_url": "https://northwind.example/logo.png",
          "company_owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "company_type": "prospect",
          "lead_status": "qualified",
          "icp_fit": "high",
          "customer_segment": "mid_market",
          "connection_strength": "strong",
          "connection_source": "referral",
          "operating_regions": [
            "EMEA"
          ],
          "category": "category",
          "vendor_being_replaced": "Contoso",
          "replacement_urgency": "this_quarter",
          "partner_type": "reseller",
          "parent_company": "parent company",
          "investors": [
            {}
          ],
          "partners": [
            {}
          ],
          "subsidiaries": [
            {}
          ],
          "address": {
            "country": "France",
            "state": "Rhône",
            "city": "Lyon",
            "address": "address",
            "zip_code": "69002"
          },
          "tags": [
            "priority"
          ],
          "contacts_count": 1,
          "is_draft": false,
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "record_source": "integration",
          "custom_fields": {
            "tier": "gold"
          },
          "associated_deal_project": [
            {
              "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
              "project_name": "Northwind rollout",
              "project_type": "deal",
              "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "expected_deal_value": 24000
            }
          ],
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "company_name"
          ],
          "from": {
            "company_name": "Former Northwind Traders"
          },
          "to": {
            "company_name": "Northwind Traders"
          }
        }
      }
    },
    {
      "event": "contact_created",
      "label": "New Contact",
      "help": "A contact was created",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "contact_created",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "contact_id": "03h9vqz0k4m2c0n5t8a1c6t3d",
          "display_id": "A-1042",
          "full_name": "Ada Example",
          "profile_image": "https://northwind.example/ada.png",
          "profile_image_url": "https://northwind.example/ada.png",
          "primary_email": "ada@northwind.example",
          "company": {
            "company_id": "03h9vqz0k4m2c0m5p8a1n6y3d",
            "company_name": "Northwind Traders",
            "domain": "northwind.example",
            "logo_url": "https://northwind.example/logo.png"
          },
          "lead_source": "website",
          "contact_owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "associated_deals": [
            {
              "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
              "project_name": "Northwind rollout",
              "project_type": "deal",
              "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "expected_deal_value": 24000
            }
          ],
          "lead_status": "qualified",
          "person_category": "decision_maker",
          "custom_fields": {
            "tier": "gold"
          },
          "contact_stage": "lead",
          "is_draft": false,
          "job_title": "Head of Operations",
          "department": "Operations",
          "location": {},
          "language": "en",
          "seniority_level": "director",
          "buying_role": "champion",
          "influence_level": 1,
          "interest_level": 1,
          "preferred_communication_channel": "email",
          "do_not_contact": "no",
          "phone": "+33 4 55 50 01 00",
          "whatsapp_number": "+33 6 55 50 01 00",
          "campaign": "Spring 2026",
          "timezone": "Europe/Paris",
          "signoff_authority": "up to 10,000",
          "lead_score": 72,
          "last_activity_date": "2026-01-15T09:30:00.000Z",
          "linkedin_url": "https://www.linkedin.com/company/northwind",
          "twitter_url": "https://twitter.com/northwind",
          "linked_user": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "reports_to": {
            "contact_id": "03h9vqz0k4m2c0n5t8a1c6t3d",
            "full_name": "Ada Example",
            "job_title": "Head of Operations"
          },
          "reporting_hierarchy_level": 2,
          "reporting_confidence": 1,
          "reporting_source": "LinkedIn",
          "tags": [
            "priority"
          ],
          "record_source": "integration",
          "associated_deal_project": [
            {
              "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
              "project_name": "Northwind rollout",
              "project_type": "deal",
              "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "expected_deal_value": 24000
            }
          ],
          "login_info": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "email": "ada@northwind.example",
            "is_active": true
          },
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "full_name"
          ],
          "from": {
            "full_name": null
          },
          "to": {
            "full_name": "Ada Example"
          }
        }
      }
    },
    {
      "event": "contact_updated",
      "label": "Contact Updated",
      "help": "Fields of a contact changed",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "contact_updated",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "contact_id": "03h9vqz0k4m2c0n5t8a1c6t3d",
          "display_id": "A-1042",
          "full_name": "Ada Example",
          "profile_image": "https://northwind.example/ada.png",
          "profile_image_url": "https://northwind.example/ada.png",
          "primary_email": "ada@northwind.example",
          "company": {
            "company_id": "03h9vqz0k4m2c0m5p8a1n6y3d",
            "company_name": "Northwind Traders",
            "domain": "northwind.example",
            "logo_url": "https://northwind.example/logo.png"
          },
          "lead_source": "website",
          "contact_owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "associated_deals": [
            {
              "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
              "project_name": "Northwind rollout",
              "project_type": "deal",
              "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "expected_deal_value": 24000
            }
          ],
          "lead_status": "qualified",
          "person_category": "decision_maker",
          "custom_fields": {
            "tier": "gold"
          },
          "contact_stage": "lead",
          "is_draft": false,
          "job_title": "Head of Operations",
          "department": "Operations",
          "location": {},
          "language": "en",
          "seniority_level": "director",
          "buying_role": "champion",
          "influence_level": 1,
          "interest_level": 1,
          "preferred_communication_channel": "email",
          "do_not_contact": "no",
          "phone": "+33 4 55 50 01 00",
          "whatsapp_number": "+33 6 55 50 01 00",
          "campaign": "Spring 2026",
          "timezone": "Europe/Paris",
          "signoff_authority": "up to 10,000",
          "lead_score": 72,
          "last_activity_date": "2026-01-15T09:30:00.000Z",
          "linkedin_url": "https://www.linkedin.com/company/northwind",
          "twitter_url": "https://twitter.com/northwind",
          "linked_user": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "reports_to": {
            "contact_id": "03h9vqz0k4m2c0n5t8a1c6t3d",
            "full_name": "Ada Example",
            "job_title": "Head of Operations"
          },
          "reporting_hierarchy_level": 2,
          "reporting_confidence": 1,
          "reporting_source": "LinkedIn",
          "tags": [
            "priority"
          ],
          "record_source": "integration",
          "associated_deal_project": [
            {
              "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
              "project_name": "Northwind rollout",
              "project_type": "deal",
              "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "expected_deal_value": 24000
            }
          ],
          "login_info": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "email": "ada@northwind.example",
            "is_active": true
          },
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "full_name"
          ],
          "from": {
            "full_name": "Former Ada Example"
          },
          "to": {
            "full_name": "Ada Example"
          }
        }
      }
    },
    {
      "event": "contact_deleted",
      "label": "Contact Deleted",
      "help": "A contact was deleted",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "contact_deleted",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "contact_id": "03h9vqz0k4m2c0n5t8a1c6t3d",
          "display_id": "A-1042",
          "full_name": "Ada Example",
          "profile_image": "https://northwind.example/ada.png",
          "profile_image_url": "https://northwind.example/ada.png",
          "primary_email": "ada@northwind.example",
          "company": {
            "company_id": "03h9vqz0k4m2c0m5p8a1n6y3d",
            "company_name": "Northwind Traders",
            "domain": "northwind.example",
            "logo_url": "https://northwind.example/logo.png"
          },
          "lead_source": "website",
          "contact_owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "associated_deals": [
            {
              "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
              "project_name": "Northwind rollout",
              "project_type": "deal",
              "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "expected_deal_value": 24000
            }
          ],
          "lead_status": "qualified",
          "person_category": "decision_maker",
          "custom_fields": {
            "tier": "gold"
          },
          "contact_stage": "lead",
          "is_draft": false,
          "job_title": "Head of Operations",
          "department": "Operations",
          "location": {},
          "language": "en",
          "seniority_level": "director",
          "buying_role": "champion",
          "influence_level": 1,
          "interest_level": 1,
          "preferred_communication_channel": "email",
          "do_not_contact": "no",
          "phone": "+33 4 55 50 01 00",
          "whatsapp_number": "+33 6 55 50 01 00",
          "campaign": "Spring 2026",
          "timezone": "Europe/Paris",
          "signoff_authority": "up to 10,000",
          "lead_score": 72,
          "last_activity_date": "2026-01-15T09:30:00.000Z",
          "linkedin_url": "https://www.linkedin.com/company/northwind",
          "twitter_url": "https://twitter.com/northwind",
          "linked_user": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "reports_to": {
            "contact_id": "03h9vqz0k4m2c0n5t8a1c6t3d",
            "full_name": "Ada Example",
            "job_title": "Head of Operations"
          },
          "reporting_hierarchy_level": 2,
          "reporting_confidence": 1,
          "reporting_source": "LinkedIn",
          "tags": [
            "priority"
          ],
          "record_source": "integration",
          "associated_deal_project": [
            {
              "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
              "project_name": "Northwind rollout",
              "project_type": "deal",
              "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "expected_deal_value": 24000
            }
          ],
          "login_info": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "email": "ada@northwind.example",
            "is_active": true
          },
          "version": 3
        },
        "changes": {
          "changed_fields": [],
          "from": {},
          "to": {}
        }
      }
    },
    {
      "event": "contact_merged",
      "label": "Contacts Merged",
      "help": "Contacts were merged into one",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "contact_merged",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "contact_id": "03h9vqz0k4m2c0n5t8a1c6t3d",
          "display_id": "A-1042",
          "full_name": "Ada Example",
          "profile_image": "https://northwind.example/ada.png",
          "profile_image_url": "https://northwind.example/ada.png",
          "primary_email": "ada@northwind.example",
          "company": {
            "company_id": "03h9vqz0k4m2c0m5p8a1n6y3d",
            "company_name": "Northwind Traders",
            "domain": "northwind.example",
            "logo_url": "https://northwind.example/logo.png"
          },
          "lead_source": "website",
          "contact_owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "associated_deals": [
            {
              "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
              "project_name": "Northwind rollout",
              "project_type": "deal",
              "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "expected_deal_value": 24000
            }
          ],
          "lead_status": "qualified",
          "person_category": "decision_maker",
          "custom_fields": {
            "tier": "gold"
          },
          "contact_stage": "lead",
          "is_draft": false,
          "job_title": "Head of Operations",
          "department": "Operations",
          "location": {},
          "language": "en",
          "seniority_level": "director",
          "buying_role": "champion",
          "influence_level": 1,
          "interest_level": 1,
          "preferred_communication_channel": "email",
          "do_not_contact": "no",
          "phone": "+33 4 55 50 01 00",
          "whatsapp_number": "+33 6 55 50 01 00",
          "campaign": "Spring 2026",
          "timezone": "Europe/Paris",
          "signoff_authority": "up to 10,000",
          "lead_score": 72,
          "last_activity_date": "2026-01-15T09:30:00.000Z",
          "linkedin_url": "https://www.linkedin.com/company/northwind",
          "twitter_url": "https://twitter.com/northwind",
          "linked_user": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "reports_to": {
            "contact_id": "03h9vqz0k4m2c0n5t8a1c6t3d",
            "full_name": "Ada Example",
            "job_title": "Head of Operations"
          },
          "reporting_hierarchy_level": 2,
          "reporting_confidence": 1,
          "reporting_source": "LinkedIn",
          "tags": [
            "priority"
          ],
          "record_source": "integration",
          "associated_deal_project": [
            {
              "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
              "project_name": "Northwind rollout",
              "project_type": "deal",
              "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "expected_deal_value": 24000
            }
          ],
          "login_info": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "email": "ada@northwind.example",
            "is_active": true
          },
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "full_name"
          ],
          "from": {
            "full_name": "Former Ada Example"
          },
          "to": {
            "full_name": "Ada Example"
          }
        }
      }
    },
    {
      "event": "deal_created",
      "label": "New Deal",
      "help": "A deal was created",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "deal_created",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
          "display_id": "A-1042",
          "project_name": "Northwind rollout",
          "description": "Rollout in three regions",
          "project_type": "deal",
          "project_type_str": "Deal",
          "start_date": "2026-01-12",
          "due_date": "2026-03-31",
          "forecasted_date": "2026-04-10",
          "show_forecasted_date": false,
          "project_score": 50,
          "tasks_count": 4,
          "milestones_count": 2,
          "phase": {
            "name": "Discovery"
          },
          "tags": [
            "priority"
          ],
          "status": {
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
            "status_key": "not_started",
            "status_name": "Not started",
            "color": "#3b82f6",
            "icon": "flag",
            "category": "not_started"
          },
          "project_manager": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "project_owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "account": {
            "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
            "account_name": "Northwind Traders"
          },
          "company_id": "03h9vqz0k4m2c0m5p8a1n6y3d",
          "customer": "customer",
          "customer_project_owner": {
            "contact_id": "03h9vqz0k4m2c0n5t8a1c6t3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "phone": "+33 4 55 50 01 00"
          },
          "is_arr": false,
          "revenue": 24000,
          "other_revenue": 1500,
          "project_fee": 5000,
          "expected_deal_value": 24000,
          "expected_onboarding_fee": 2000,
          "hourly_rate": 120,
          "monthly_rate": 2000,
          "calculated_revenue": 25500,
          "formatted_deal_value": "€24,000.00",
          "formatted_revenue": "€24,000.00",
          "formatted_other_revenue": "€1,500.00",
          "currency_unit": "EUR",
          "billing_model": "fixed_price",
          "billing_frequency": "monthly",
          "contract_duration": 12,
          "deal_resources": 3,
          "project_duration": 60,
          "template_id": "03h9vqz0k4m2t0m5p8l1t6e3d",
          "template_name": "Onboarding",
          "template_desc": "Plan of an onboarding",
          "pipeline_id": "03h9vqz0k4m2p1p5e8l1n6e3d",
          "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
          "lost_reason": null,
          "closed_at": null,
          "completed_at": null,
          "stages": [
            {
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "name": "Kick-off",
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "stage_name": "Qualification",
              "stage_key": "qualification",
              "category": "open",
              "probability": 20,
              "color": "#3b82f6",
              "position": 0,
              "status": {
                "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
                "status_key": "not_started",
                "status_name": "Not started"
              }
            }
          ],
          "pipeline_stages": [
            {
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "name": "Kick-off",
              "stage_name": "Qualification",
              "stage_key": "qualification",
              "category": "open",
              "probability": 20,
              "color": "#3b82f6",
              "position": 0
            }
          ],
          "current_stage": {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "name": "Kick-off",
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "stage_name": "Qualification",
            "stage_key": "qualification",
            "category": "open",
            "probability": 20,
            "color": "#3b82f6",
            "position": 0,
            "status": {
              "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
              "status_key": "not_started",
              "status_name": "Not started"
            }
          },
          "current_pipe_stage": {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "name": "Kick-off",
            "stage_name": "Qualification",
            "stage_key": "qualification",
            "category": "open",
            "probability": 20,
            "color": "#3b82f6",
            "position": 0
          },
          "current_milestone_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "milestone_status": {
            "total": 1,
            "completed": 1,
            "overdue": 1
          },
          "insights": {
            "progress": 1,
            "overdue_tasks": 1,
            "score": 72
          },
          "time_left": 12,
          "time_spent": 3600,
          "project_team": [
            {
              "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
              "full_name": "Ada Example",
              "email": "ada@northwind.example",
              "role": "member",
              "profile_image": "https://northwind.example/ada.png"
            }
          ],
          "partner_orgs": [
            {}
          ],
          "visible_to_all": true,
          "is_private": false,
          "is_shared": false,
          "position": 0,
          "rank": "a0",
          "external_map": {
            "crm": "0061x00000A1b2C"
          },
          "holidays_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "converted_from": "converted from",
          "invite_type": "email",
          "object_source": "integration",
          "custom_fields": {
            "tier": "gold"
          },
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "project_name"
          ],
          "from": {
            "project_name": null
          },
          "to": {
            "project_name": "Northwind rollout"
          }
        }
      }
    },
    {
      "event": "deal_updated",
      "label": "Deal Updated",
      "help": "Fields of a deal changed",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "deal_updated",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
          "display_id": "A-1042",
          "project_name": "Northwind rollout",
          "description": "Rollout in three regions",
          "project_type": "deal",
          "project_type_str": "Deal",
          "start_date": "2026-01-12",
          "due_date": "2026-03-31",
          "forecasted_date": "2026-04-10",
          "show_forecasted_date": false,
          "project_score": 50,
          "tasks_count": 4,
          "milestones_count": 2,
          "phase": {
            "name": "Discovery"
          },
          "tags": [
            "priority"
          ],
          "status": {
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
            "status_key": "not_started",
            "status_name": "Not started",
            "color": "#3b82f6",
            "icon": "flag",
            "category": "not_started"
          },
          "project_manager": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "project_owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "account": {
            "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
            "account_name": "Northwind Traders"
          },
          "company_id": "03h9vqz0k4m2c0m5p8a1n6y3d",
          "customer": "customer",
          "customer_project_owner": {
            "contact_id": "03h9vqz0k4m2c0n5t8a1c6t3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "phone": "+33 4 55 50 01 00"
          },
          "is_arr": false,
          "revenue": 24000,
          "other_revenue": 1500,
          "project_fee": 5000,
          "expected_deal_value": 24000,
          "expected_onboarding_fee": 2000,
          "hourly_rate": 120,
          "monthly_rate": 2000,
          "calculated_revenue": 25500,
          "formatted_deal_value": "€24,000.00",
          "formatted_revenue": "€24,000.00",
          "formatted_other_revenue": "€1,500.00",
          "currency_unit": "EUR",
          "billing_model": "fixed_price",
          "billing_frequency": "monthly",
          "contract_duration": 12,
          "deal_resources": 3,
          "project_duration": 60,
          "template_id": "03h9vqz0k4m2t0m5p8l1t6e3d",
          "template_name": "Onboarding",
          "template_desc": "Plan of an onboarding",
          "pipeline_id": "03h9vqz0k4m2p1p5e8l1n6e3d",
          "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
          "lost_reason": null,
          "closed_at": null,
          "completed_at": null,
          "stages": [
            {
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "name": "Kick-off",
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "stage_name": "Qualification",
              "stage_key": "qualification",
              "category": "open",
              "probability": 20,
              "color": "#3b82f6",
              "position": 0,
              "status": {
                "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
                "status_key": "not_started",
                "status_name": "Not started"
              }
            }
          ],
          "pipeline_stages": [
            {
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "name": "Kick-off",
              "stage_name": "Qualification",
              "stage_key": "qualification",
              "category": "open",
              "probability": 20,
              "color": "#3b82f6",
              "position": 0
            }
          ],
          "current_stage": {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "name": "Kick-off",
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "stage_name": "Qualification",
            "stage_key": "qualification",
            "category": "open",
            "probability": 20,
            "color": "#3b82f6",
            "position": 0,
            "status": {
              "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
              "status_key": "not_started",
              "status_name": "Not started"
            }
          },
          "current_pipe_stage": {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "name": "Kick-off",
            "stage_name": "Qualification",
            "stage_key": "qualification",
            "category": "open",
            "probability": 20,
            "color": "#3b82f6",
            "position": 0
          },
          "current_milestone_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "milestone_status": {
            "total": 1,
            "completed": 1,
            "overdue": 1
          },
          "insights": {
            "progress": 1,
            "overdue_tasks": 1,
            "score": 72
          },
          "time_left": 12,
          "time_spent": 3600,
          "project_team": [
            {
              "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
              "full_name": "Ada Example",
              "email": "ada@northwind.example",
              "role": "member",
              "profile_image": "https://northwind.example/ada.png"
            }
          ],
          "partner_orgs": [
            {}
          ],
          "visible_to_all": true,
          "is_private": false,
          "is_shared": false,
          "position": 0,
          "rank": "a0",
          "external_map": {
            "crm": "0061x00000A1b2C"
          },
          "holidays_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "converted_from": "converted from",
          "invite_type": "email",
          "object_source": "integration",
          "custom_fields": {
            "tier": "gold"
          },
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "project_name"
          ],
          "from": {
            "project_name": "Former Northwind rollout"
          },
          "to": {
            "project_name": "Northwind rollout"
          }
        }
      }
    },
    {
      "event": "deal_stage_changed",
      "label": "Deal Stage Changed",
      "help": "A deal moved to another stage",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "deal_stage_changed",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
          "display_id": "A-1042",
          "project_name": "Northwind rollout",
          "description": "Rollout in three regions",
          "project_type": "deal",
          "project_type_str": "Deal",
          "start_date": "2026-01-12",
          "due_date": "2026-03-31",
          "forecasted_date": "2026-04-10",
          "show_forecasted_date": false,
          "project_score": 50,
          "tasks_count": 4,
          "milestones_count": 2,
          "phase": {
            "name": "Discovery"
          },
          "tags": [
            "priority"
          ],
          "status": {
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
            "status_key": "not_started",
            "status_name": "Not started",
            "color": "#3b82f6",
            "icon": "flag",
            "category": "not_started"
          },
          "project_manager": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "project_owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "account": {
            "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
            "account_name": "Northwind Traders"
          },
          "company_id": "03h9vqz0k4m2c0m5p8a1n6y3d",
          "customer": "customer",
          "customer_project_owner": {
            "contact_id": "03h9vqz0k4m2c0n5t8a1c6t3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "phone": "+33 4 55 50 01 00"
          },
          "is_arr": false,
          "revenue": 24000,
          "other_revenue": 1500,
          "project_fee": 5000,
          "expected_deal_value": 24000,
          "expected_onboarding_fee": 2000,
          "hourly_rate": 120,
          "monthly_rate": 2000,
          "calculated_revenue": 25500,
          "formatted_deal_value": "€24,000.00",
          "formatted_revenue": "€24,000.00",
          "formatted_other_revenue": "€1,500.00",
          "currency_unit": "EUR",
          "billing_model": "fixed_price",
          "billing_frequency": "monthly",
          "contract_duration": 12,
          "deal_resources": 3,
          "project_duration": 60,
          "template_id": "03h9vqz0k4m2t0m5p8l1t6e3d",
          "template_name": "Onboarding",
          "template_desc": "Plan of an onboarding",
          "pipeline_id": "03h9vqz0k4m2p1p5e8l1n6e3d",
          "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
          "lost_reason": null,
          "closed_at": null,
          "completed_at": null,
          "stages": [
            {
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "name": "Kick-off",
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "stage_name": "Qualification",
              "stage_key": "qualification",
              "category": "open",
              "probability": 20,
              "color": "#3b82f6",
              "position": 0,
              "status": {
                "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
                "status_key": "not_started",
                "status_name": "Not started"
              }
            }
          ],
          "pipeline_stages": [
            {
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "name": "Kick-off",
              "stage_name": "Qualification",
              "stage_key": "qualification",
              "category": "open",
              "probability": 20,
              "color": "#3b82f6",
              "position": 0
            }
          ],
          "current_stage": {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "name": "Kick-off",
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "stage_name": "Qualification",
            "stage_key": "qualification",
            "category": "open",
            "probability": 20,
            "color": "#3b82f6",
            "position": 0,
            "status": {
              "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
              "status_key": "not_started",
              "status_name": "Not started"
            }
          },
          "current_pipe_stage": {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "name": "Kick-off",
            "stage_name": "Qualification",
            "stage_key": "qualification",
            "category": "open",
            "probability": 20,
            "color": "#3b82f6",
            "position": 0
          },
          "current_milestone_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "milestone_status": {
            "total": 1,
            "completed": 1,
            "overdue": 1
          },
          "insights": {
            "progress": 1,
            "overdue_tasks": 1,
            "score": 72
          },
          "time_left": 12,
          "time_spent": 3600,
          "project_team": [
            {
              "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
              "full_name": "Ada Example",
              "email": "ada@northwind.example",
              "role": "member",
              "profile_image": "https://northwind.example/ada.png"
            }
          ],
          "partner_orgs": [
            {}
          ],
          "visible_to_all": true,
          "is_private": false,
          "is_shared": false,
          "position": 0,
          "rank": "a0",
          "external_map": {
            "crm": "0061x00000A1b2C"
          },
          "holidays_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "converted_from": "converted from",
          "invite_type": "email",
          "object_source": "integration",
          "custom_fields": {
            "tier": "gold"
          },
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "stage_id"
          ],
          "from": {
            "stage_id": "03h9vqz0k4m2r8s5d2f6g9h3j"
          },
          "to": {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d"
          }
        }
      }
    },
    {
      "event": "deal_won",
      "label": "Deal Won",
      "help": "A deal entered a won stage",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "deal_won",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
          "display_id": "A-1042",
          "project_name": "Northwind rollout",
          "description": "Rollout in three regions",
          "project_type": "deal",
          "project_type_str": "Deal",
          "start_date": "2026-01-12",
          "due_date": "2026-03-31",
          "forecasted_date": "2026-04-10",
          "show_forecasted_date": false,
          "project_score": 50,
          "tasks_count": 4,
          "milestones_count": 2,
          "phase": {
            "name": "Discovery"
          },
          "tags": [
            "priority"
          ],
          "status": {
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
            "status_key": "not_started",
            "status_name": "Not started",
            "color": "#3b82f6",
            "icon": "flag",
            "category": "not_started"
          },
          "project_manager": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "project_owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "account": {
            "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
            "account_name": "Northwind Traders"
          },
          "company_id": "03h9vqz0k4m2c0m5p8a1n6y3d",
          "customer": "customer",
          "customer_project_owner": {
            "contact_id": "03h9vqz0k4m2c0n5t8a1c6t3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "phone": "+33 4 55 50 01 00"
          },
          "is_arr": false,
          "revenue": 24000,
          "other_revenue": 1500,
          "project_fee": 5000,
          "expected_deal_value": 24000,
          "expected_onboarding_fee": 2000,
          "hourly_rate": 120,
          "monthly_rate": 2000,
          "calculated_revenue": 25500,
          "formatted_deal_value": "€24,000.00",
          "formatted_revenue": "€24,000.00",
          "formatted_other_revenue": "€1,500.00",
          "currency_unit": "EUR",
          "billing_model": "fixed_price",
          "billing_frequency": "monthly",
          "contract_duration": 12,
          "deal_resources": 3,
          "project_duration": 60,
          "template_id": "03h9vqz0k4m2t0m5p8l1t6e3d",
          "template_name": "Onboarding",
          "template_desc": "Plan of an onboarding",
          "pipeline_id": "03h9vqz0k4m2p1p5e8l1n6e3d",
          "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
          "lost_reason": null,
          "closed_at": "2026-01-15T09:30:00.000Z",
          "completed_at": null,
          "stages": [
            {
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "name": "Kick-off",
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "stage_name": "Qualification",
              "stage_key": "qualification",
              "category": "open",
              "probability": 20,
              "color": "#3b82f6",
              "position": 0,
              "status": {
                "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
                "status_key": "not_started",
                "status_name": "Not started"
              }
            }
          ],
          "pipeline_stages": [
            {
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "name": "Kick-off",
              "stage_name": "Qualification",
              "stage_key": "qualification",
              "category": "open",
              "probability": 20,
              "color": "#3b82f6",
              "position": 0
            }
          ],
          "current_stage": {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "name": "Kick-off",
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "stage_name": "Qualification",
            "stage_key": "qualification",
            "category": "open",
            "probability": 20,
            "color": "#3b82f6",
            "position": 0,
            "status": {
              "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
              "status_key": "not_started",
              "status_name": "Not started"
            }
          },
          "current_pipe_stage": {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "name": "Closed won",
            "stage_name": "Closed won",
            "stage_key": "closed_won",
            "category": "won",
            "probability": 100,
            "color": "#3b82f6",
            "position": 0
          },
          "current_milestone_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "milestone_status": {
            "total": 1,
            "completed": 1,
            "overdue": 1
          },
          "insights": {
            "progress": 1,
            "overdue_tasks": 1,
            "score": 72
          },
          "time_left": 12,
          "time_spent": 3600,
          "project_team": [
            {
              "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
              "full_name": "Ada Example",
              "email": "ada@northwind.example",
              "role": "member",
              "profile_image": "https://northwind.example/ada.png"
            }
          ],
          "partner_orgs": [
            {}
          ],
          "visible_to_all": true,
          "is_private": false,
          "is_shared": false,
          "position": 0,
          "rank": "a0",
          "external_map": {
            "crm": "0061x00000A1b2C"
          },
          "holidays_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "converted_from": "converted from",
          "invite_type": "email",
          "object_source": "integration",
          "custom_fields": {
            "tier": "gold"
          },
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "stage_id"
          ],
          "from": {
            "stage_id": "03h9vqz0k4m2r8s5d2f6g9h3j"
          },
          "to": {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d"
          }
        }
      }
    },
    {
      "event": "deal_lost",
      "label": "Deal Lost",
      "help": "A deal entered a lost stage",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "deal_lost",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
          "display_id": "A-1042",
          "project_name": "Northwind rollout",
          "description": "Rollout in three regions",
          "project_type": "deal",
          "project_type_str": "Deal",
          "start_date": "2026-01-12",
          "due_date": "2026-03-31",
          "forecasted_date": "2026-04-10",
          "show_forecasted_date": false,
          "project_score": 50,
          "tasks_count": 4,
          "milestones_count": 2,
          "phase": {
            "name": "Discovery"
          },
          "tags": [
            "priority"
          ],
          "status": {
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
            "status_key": "not_started",
            "status_name": "Not started",
            "color": "#3b82f6",
            "icon": "flag",
            "category": "not_started"
          },
          "project_manager": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "project_owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "account": {
            "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
            "account_name": "Northwind Traders"
          },
          "company_id": "03h9vqz0k4m2c0m5p8a1n6y3d",
          "customer": "customer",
          "customer_project_owner": {
            "contact_id": "03h9vqz0k4m2c0n5t8a1c6t3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "phone": "+33 4 55 50 01 00"
          },
          "is_arr": false,
          "revenue": 24000,
          "other_revenue": 1500,
          "project_fee": 5000,
          "expected_deal_value": 24000,
          "expected_onboarding_fee": 2000,
          "hourly_rate": 120,
          "monthly_rate": 2000,
          "calculated_revenue": 25500,
          "formatted_deal_value": "€24,000.00",
          "formatted_revenue": "€24,000.00",
          "formatted_other_revenue": "€1,500.00",
          "currency_unit": "EUR",
          "billing_model": "fixed_price",
          "billing_frequency": "monthly",
          "contract_duration": 12,
          "deal_resources": 3,
          "project_duration": 60,
          "template_id": "03h9vqz0k4m2t0m5p8l1t6e3d",
          "template_name": "Onboarding",
          "template_desc": "Plan of an onboarding",
          "pipeline_id": "03h9vqz0k4m2p1p5e8l1n6e3d",
          "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
          "lost_reason": "price",
          "closed_at": "2026-01-15T09:30:00.000Z",
          "completed_at": null,
          "stages": [
            {
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "name": "Kick-off",
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "stage_name": "Qualification",
              "stage_key": "qualification",
              "category": "open",
              "probability": 20,
              "color": "#3b82f6",
              "position": 0,
              "status": {
                "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
                "status_key": "not_started",
                "status_name": "Not started"
              }
            }
          ],
          "pipeline_stages": [
            {
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "name": "Kick-off",
              "stage_name": "Qualification",
              "stage_key": "qualification",
              "category": "open",
              "probability": 20,
              "color": "#3b82f6",
              "position": 0
            }
          ],
          "current_stage": {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "name": "Kick-off",
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "stage_name": "Qualification",
            "stage_key": "qualification",
            "category": "open",
            "probability": 20,
            "color": "#3b82f6",
            "position": 0,
            "status": {
              "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
              "status_key": "not_started",
              "status_name": "Not started"
            }
          },
          "current_pipe_stage": {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "name": "Closed lost",
            "stage_name": "Closed lost",
            "stage_key": "closed_lost",
            "category": "lost",
            "probability": 0,
            "color": "#3b82f6",
            "position": 0
          },
          "current_milestone_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "milestone_status": {
            "total": 1,
            "completed": 1,
            "overdue": 1
          },
          "insights": {
            "progress": 1,
            "overdue_tasks": 1,
            "score": 72
          },
          "time_left": 12,
          "time_spent": 3600,
          "project_team": [
            {
              "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
              "full_name": "Ada Example",
              "email": "ada@northwind.example",
              "role": "member",
              "profile_image": "https://northwind.example/ada.png"
            }
          ],
          "partner_orgs": [
            {}
          ],
          "visible_to_all": true,
          "is_private": false,
          "is_shared": false,
          "position": 0,
          "rank": "a0",
          "external_map": {
            "crm": "0061x00000A1b2C"
          },
          "holidays_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "converted_from": "converted from",
          "invite_type": "email",
          "object_source": "integration",
          "custom_fields": {
            "tier": "gold"
          },
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "stage_id"
          ],
          "from": {
            "stage_id": "03h9vqz0k4m2r8s5d2f6g9h3j"
          },
          "to": {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d"
          }
        }
      }
    },
    {
      "event": "deal_deleted",
      "label": "Deal Deleted",
      "help": "A deal was deleted",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "deal_deleted",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
          "display_id": "A-1042",
          "project_name": "Northwind rollout",
          "description": "Rollout in three regions",
          "project_type": "deal",
          "project_type_str": "Deal",
          "start_date": "2026-01-12",
          "due_date": "2026-03-31",
          "forecasted_date": "2026-04-10",
          "show_forecasted_date": false,
          "project_score": 50,
          "tasks_count": 4,
          "milestones_count": 2,
          "phase": {
            "name": "Discovery"
          },
          "tags": [
            "priority"
          ],
          "status": {
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
            "status_key": "not_started",
            "status_name": "Not started",
            "color": "#3b82f6",
            "icon": "flag",
            "category": "not_started"
          },
          "project_manager": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "project_owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "account": {
            "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
            "account_name": "Northwind Traders"
          },
          "company_id": "03h9vqz0k4m2c0m5p8a1n6y3d",
          "customer": "customer",
          "customer_project_owner": {
            "contact_id": "03h9vqz0k4m2c0n5t8a1c6t3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "phone": "+33 4 55 50 01 00"
          },
          "is_arr": false,
          "revenue": 24000,
          "other_revenue": 1500,
          "project_fee": 5000,
          "expected_deal_value": 24000,
          "expected_onboarding_fee": 2000,
          "hourly_rate": 120,
          "monthly_rate": 2000,
          "calculated_revenue": 25500,
          "formatted_deal_value": "€24,000.00",
          "formatted_revenue": "€24,000.00",
          "formatted_other_revenue": "€1,500.00",
          "currency_unit": "EUR",
          "billing_model": "fixed_price",
          "billing_frequency": "monthly",
          "contract_duration": 12,
          "deal_resources": 3,
          "project_duration": 60,
          "template_id": "03h9vqz0k4m2t0m5p8l1t6e3d",
          "template_name": "Onboarding",
          "template_desc": "Plan of an onboarding",
          "pipeline_id": "03h9vqz0k4m2p1p5e8l1n6e3d",
          "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
          "lost_reason": null,
          "closed_at": null,
          "completed_at": null,
          "stages": [
            {
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "name": "Kick-off",
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "stage_name": "Qualification",
              "stage_key": "qualification",
              "category": "open",
              "probability": 20,
              "color": "#3b82f6",
              "position": 0,
              "status": {
                "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
                "status_key": "not_started",
                "status_name": "Not started"
              }
            }
          ],
          "pipeline_stages": [
            {
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "name": "Kick-off",
              "stage_name": "Qualification",
              "stage_key": "qualification",
              "category": "open",
              "probability": 20,
              "color": "#3b82f6",
              "position": 0
            }
          ],
          "current_stage": {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "name": "Kick-off",
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "stage_name": "Qualification",
            "stage_key": "qualification",
            "category": "open",
            "probability": 20,
            "color": "#3b82f6",
            "position": 0,
            "status": {
              "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
              "status_key": "not_started",
              "status_name": "Not started"
            }
          },
          "current_pipe_stage": {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "name": "Kick-off",
            "stage_name": "Qualification",
            "stage_key": "qualification",
            "category": "open",
            "probability": 20,
            "color": "#3b82f6",
            "position": 0
          },
          "current_milestone_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "milestone_status": {
            "total": 1,
            "completed": 1,
            "overdue": 1
          },
          "insights": {
            "progress": 1,
            "overdue_tasks": 1,
            "score": 72
          },
          "time_left": 12,
          "time_spent": 3600,
          "project_team": [
            {
              "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
              "full_name": "Ada Example",
              "email": "ada@northwind.example",
              "role": "member",
              "profile_image": "https://northwind.example/ada.png"
            }
          ],
          "partner_orgs": [
            {}
          ],
          "visible_to_all": true,
          "is_private": false,
          "is_shared": false,
          "position": 0,
          "rank": "a0",
          "external_map": {
            "crm": "0061x00000A1b2C"
          },
          "holidays_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "converted_from": "converted from",
          "invite_type": "email",
          "object_source": "integration",
          "custom_fields": {
            "tier": "gold"
          },
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [],
          "from": {},
          "to": {}
        }
      }
    },
    {
      "event": "project_created",
      "label": "New Project",
      "help": "A project was created",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "project_created",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
          "display_id": "A-1042",
          "project_name": "Northwind rollout",
          "description": "Rollout in three regions",
          "project_type": "deal",
          "project_type_str": "Deal",
          "start_date": "2026-01-12",
          "due_date": "2026-03-31",
          "forecasted_date": "2026-04-10",
          "show_forecasted_date": false,
          "project_score": 50,
          "tasks_count": 4,
          "milestones_count": 2,
          "phase": {
            "name": "Discovery"
          },
          "tags": [
            "priority"
          ],
          "status": {
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
            "status_key": "not_started",
            "status_name": "Not started",
            "color": "#3b82f6",
            "icon": "flag",
            "category": "not_started"
          },
          "project_manager": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "project_owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "account": {
            "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
            "account_name": "Northwind Traders"
          },
          "company_id": "03h9vqz0k4m2c0m5p8a1n6y3d",
          "customer": "customer",
          "customer_project_owner": {
            "contact_id": "03h9vqz0k4m2c0n5t8a1c6t3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "phone": "+33 4 55 50 01 00"
          },
          "is_arr": false,
          "revenue": 24000,
          "other_revenue": 1500,
          "project_fee": 5000,
          "expected_deal_value": 24000,
          "expected_onboarding_fee": 2000,
          "hourly_rate": 120,
          "monthly_rate": 2000,
          "calculated_revenue": 25500,
          "formatted_deal_value": "€24,000.00",
          "formatted_revenue": "€24,000.00",
          "formatted_other_revenue": "€1,500.00",
          "currency_unit": "EUR",
          "billing_model": "fixed_price",
          "billing_frequency": "monthly",
          "contract_duration": 12,
          "deal_resources": 3,
          "project_duration": 60,
          "template_id": "03h9vqz0k4m2t0m5p8l1t6e3d",
          "template_name": "Onboarding",
          "template_desc": "Plan of an onboarding",
          "pipeline_id": "03h9vqz0k4m2p1p5e8l1n6e3d",
          "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
          "lost_reason": null,
          "closed_at": null,
          "completed_at": null,
          "stages": [
            {
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "name": "Kick-off",
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "stage_name": "Qualification",
              "stage_key": "qualification",
              "category": "open",
              "probability": 20,
              "color": "#3b82f6",
              "position": 0,
              "status": {
                "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
                "status_key": "not_started",
                "status_name": "Not started"
              }
            }
          ],
          "pipeline_stages": [
            {
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "name": "Kick-off",
              "stage_name": "Qualification",
              "stage_key": "qualification",
              "category": "open",
              "probability": 20,
              "color": "#3b82f6",
              "position": 0
            }
          ],
          "current_stage": {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "name": "Kick-off",
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "stage_name": "Qualification",
            "stage_key": "qualification",
            "category": "open",
            "probability": 20,
            "color": "#3b82f6",
            "position": 0,
            "status": {
              "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
              "status_key": "not_started",
              "status_name": "Not started"
            }
          },
          "current_pipe_stage": {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "name": "Kick-off",
            "stage_name": "Qualification",
            "stage_key": "qualification",
            "category": "open",
            "probability": 20,
            "color": "#3b82f6",
            "position": 0
          },
          "current_milestone_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "milestone_status": {
            "total": 1,
            "completed": 1,
            "overdue": 1
          },
          "insights": {
            "progress": 1,
            "overdue_tasks": 1,
            "score": 72
          },
          "time_left": 12,
          "time_spent": 3600,
          "project_team": [
            {
              "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
              "full_name": "Ada Example",
              "email": "ada@northwind.example",
              "role": "member",
              "profile_image": "https://northwind.example/ada.png"
            }
          ],
          "partner_orgs": [
            {}
          ],
          "visible_to_all": true,
          "is_private": false,
          "is_shared": false,
          "position": 0,
          "rank": "a0",
          "external_map": {
            "crm": "0061x00000A1b2C"
          },
          "holidays_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "converted_from": "converted from",
          "invite_type": "email",
          "object_source": "integration",
          "custom_fields": {
            "tier": "gold"
          },
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "project_name"
          ],
          "from": {
            "project_name": null
          },
          "to": {
            "project_name": "Northwind rollout"
          }
        }
      }
    },
    {
      "event": "project_updated",
      "label": "Project Updated",
      "help": "Fields of a project changed",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "project_updated",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
          "display_id": "A-1042",
          "project_name": "Northwind rollout",
          "description": "Rollout in three regions",
          "project_type": "deal",
          "project_type_str": "Deal",
          "start_date": "2026-01-12",
          "due_date": "2026-03-31",
          "forecasted_date": "2026-04-10",
          "show_forecasted_date": false,
          "project_score": 50,
          "tasks_count": 4,
          "milestones_count": 2,
          "phase": {
            "name": "Discovery"
          },
          "tags": [
            "priority"
          ],
          "status": {
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
            "status_key": "not_started",
            "status_name": "Not started",
            "color": "#3b82f6",
            "icon": "flag",
            "category": "not_started"
          },
          "project_manager": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "project_owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "account": {
            "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
            "account_name": "Northwind Traders"
          },
          "company_id": "03h9vqz0k4m2c0m5p8a1n6y3d",
          "customer": "customer",
          "customer_project_owner": {
            "contact_id": "03h9vqz0k4m2c0n5t8a1c6t3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "phone": "+33 4 55 50 01 00"
          },
          "is_arr": false,
          "revenue": 24000,
          "other_revenue": 1500,
          "project_fee": 5000,
          "expected_deal_value": 24000,
          "expected_onboarding_fee": 2000,
          "hourly_rate": 120,
          "monthly_rate": 2000,
          "calculated_revenue": 25500,
          "formatted_deal_value": "€24,000.00",
          "formatted_revenue": "€24,000.00",
          "formatted_other_revenue": "€1,500.00",
          "currency_unit": "EUR",
          "billing_model": "fixed_price",
          "billing_frequency": "monthly",
          "contract_duration": 12,
          "deal_resources": 3,
          "project_duration": 60,
          "template_id": "03h9vqz0k4m2t0m5p8l1t6e3d",
          "template_name": "Onboarding",
          "template_desc": "Plan of an onboarding",
          "pipeline_id": "03h9vqz0k4m2p1p5e8l1n6e3d",
          "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
          "lost_reason": null,
          "closed_at": null,
          "completed_at": null,
          "stages": [
            {
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "name": "Kick-off",
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "stage_name": "Qualification",
              "stage_key": "qualification",
              "category": "open",
              "probability": 20,
              "color": "#3b82f6",
              "position": 0,
              "status": {
                "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
                "status_key": "not_started",
                "status_name": "Not started"
              }
            }
          ],
          "pipeline_stages": [
            {
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "name": "Kick-off",
              "stage_name": "Qualification",
              "stage_key": "qualification",
              "category": "open",
              "probability": 20,
              "color": "#3b82f6",
              "position": 0
            }
          ],
          "current_stage": {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "name": "Kick-off",
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "stage_name": "Qualification",
            "stage_key": "qualification",
            "category": "open",
            "probability": 20,
            "color": "#3b82f6",
            "position": 0,
            "status": {
              "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
              "status_key": "not_started",
              "status_name": "Not started"
            }
          },
          "current_pipe_stage": {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "name": "Kick-off",
            "stage_name": "Qualification",
            "stage_key": "qualification",
            "category": "open",
            "probability": 20,
            "color": "#3b82f6",
            "position": 0
          },
          "current_milestone_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "milestone_status": {
            "total": 1,
            "completed": 1,
            "overdue": 1
          },
          "insights": {
            "progress": 1,
            "overdue_tasks": 1,
            "score": 72
          },
          "time_left": 12,
          "time_spent": 3600,
          "project_team": [
            {
              "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
              "full_name": "Ada Example",
              "email": "ada@northwind.example",
              "role": "member",
              "profile_image": "https://northwind.example/ada.png"
            }
          ],
          "partner_orgs": [
            {}
          ],
          "visible_to_all": true,
          "is_private": false,
          "is_shared": false,
          "position": 0,
          "rank": "a0",
          "external_map": {
            "crm": "0061x00000A1b2C"
          },
          "holidays_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "converted_from": "converted from",
          "invite_type": "email",
          "object_source": "integration",
          "custom_fields": {
            "tier": "gold"
          },
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "project_name"
          ],
          "from": {
            "project_name": "Former Northwind rollout"
          },
          "to": {
            "project_name": "Northwind rollout"
          }
        }
      }
    },
    {
      "event": "project_status_changed",
      "label": "Project Status Changed",
      "help": "The status of a project changed",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "project_status_changed",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
          "display_id": "A-1042",
          "project_name": "Northwind rollout",
          "description": "Rollout in three regions",
          "project_type": "deal",
          "project_type_str": "Deal",
          "start_date": "2026-01-12",
          "due_date": "2026-03-31",
          "forecasted_date": "2026-04-10",
          "show_forecasted_date": false,
          "project_score": 50,
          "tasks_count": 4,
          "milestones_count": 2,
          "phase": {
            "name": "Discovery"
          },
          "tags": [
            "priority"
          ],
          "status": {
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
            "status_key": "not_started",
            "status_name": "Not started",
            "color": "#3b82f6",
            "icon": "flag",
            "category": "not_started"
          },
          "project_manager": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "project_owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "account": {
            "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
            "account_name": "Northwind Traders"
          },
          "company_id": "03h9vqz0k4m2c0m5p8a1n6y3d",
          "customer": "customer",
          "customer_project_owner": {
            "contact_id": "03h9vqz0k4m2c0n5t8a1c6t3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "phone": "+33 4 55 50 01 00"
          },
          "is_arr": false,
          "revenue": 24000,
          "other_revenue": 1500,
          "project_fee": 5000,
          "expected_deal_value": 24000,
          "expected_onboarding_fee": 2000,
          "hourly_rate": 120,
          "monthly_rate": 2000,
          "calculated_revenue": 25500,
          "formatted_deal_value": "€24,000.00",
          "formatted_revenue": "€24,000.00",
          "formatted_other_revenue": "€1,500.00",
          "currency_unit": "EUR",
          "billing_model": "fixed_price",
          "billing_frequency": "monthly",
          "contract_duration": 12,
          "deal_resources": 3,
          "project_duration": 60,
          "template_id": "03h9vqz0k4m2t0m5p8l1t6e3d",
          "template_name": "Onboarding",
          "template_desc": "Plan of an onboarding",
          "pipeline_id": "03h9vqz0k4m2p1p5e8l1n6e3d",
          "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
          "lost_reason": null,
          "closed_at": null,
          "completed_at": null,
          "stages": [
            {
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "name": "Kick-off",
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "stage_name": "Qualification",
              "stage_key": "qualification",
              "category": "open",
              "probability": 20,
              "color": "#3b82f6",
              "position": 0,
              "status": {
                "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
                "status_key": "not_started",
                "status_name": "Not started"
              }
            }
          ],
          "pipeline_stages": [
            {
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "name": "Kick-off",
              "stage_name": "Qualification",
              "stage_key": "qualification",
              "category": "open",
              "probability": 20,
              "color": "#3b82f6",
              "position": 0
            }
          ],
          "current_stage": {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "name": "Kick-off",
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "stage_name": "Qualification",
            "stage_key": "qualification",
            "category": "open",
            "probability": 20,
            "color": "#3b82f6",
            "position": 0,
            "status": {
              "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
              "status_key": "not_started",
              "status_name": "Not started"
            }
          },
          "current_pipe_stage": {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "name": "Kick-off",
            "stage_name": "Qualification",
            "stage_key": "qualification",
            "category": "open",
            "probability": 20,
            "color": "#3b82f6",
            "position": 0
          },
          "current_milestone_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "milestone_status": {
            "total": 1,
            "completed": 1,
            "overdue": 1
          },
          "insights": {
            "progress": 1,
            "overdue_tasks": 1,
            "score": 72
          },
          "time_left": 12,
          "time_spent": 3600,
          "project_team": [
            {
              "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
              "full_name": "Ada Example",
              "email": "ada@northwind.example",
              "role": "member",
              "profile_image": "https://northwind.example/ada.png"
            }
          ],
          "partner_orgs": [
            {}
          ],
          "visible_to_all": true,
          "is_private": false,
          "is_shared": false,
          "position": 0,
          "rank": "a0",
          "external_map": {
            "crm": "0061x00000A1b2C"
          },
          "holidays_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "converted_from": "converted from",
          "invite_type": "email",
          "object_source": "integration",
          "custom_fields": {
            "tier": "gold"
          },
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "status"
          ],
          "from": {
            "status": {
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
              "status_key": "in_progress",
              "status_name": "In progress",
              "color": "#3b82f6",
              "icon": "flag",
              "category": "in_progress"
            }
          },
          "to": {
            "status": {
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
              "status_key": "not_started",
              "status_name": "Not started",
              "color": "#3b82f6",
              "icon": "flag",
              "category": "not_started"
            }
          }
        }
      }
    },
    {
      "event": "project_completed",
      "label": "Project Completed",
      "help": "A project was completed",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "project_completed",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
          "display_id": "A-1042",
          "project_name": "Northwind rollout",
          "description": "Rollout in three regions",
          "project_type": "deal",
          "project_type_str": "Deal",
          "start_date": "2026-01-12",
          "due_date": "2026-03-31",
          "forecasted_date": "2026-04-10",
          "show_forecasted_date": false,
          "project_score": 50,
          "tasks_count": 4,
          "milestones_count": 2,
          "phase": {
            "name": "Discovery"
          },
          "tags": [
            "priority"
          ],
          "status": {
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
            "status_key": "completed",
            "status_name": "Completed",
            "color": "#3b82f6",
            "icon": "flag",
            "category": "completed"
          },
          "project_manager": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "project_owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "account": {
            "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
            "account_name": "Northwind Traders"
          },
          "company_id": "03h9vqz0k4m2c0m5p8a1n6y3d",
          "customer": "customer",
          "customer_project_owner": {
            "contact_id": "03h9vqz0k4m2c0n5t8a1c6t3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "phone": "+33 4 55 50 01 00"
          },
          "is_arr": false,
          "revenue": 24000,
          "other_revenue": 1500,
          "project_fee": 5000,
          "expected_deal_value": 24000,
          "expected_onboarding_fee": 2000,
          "hourly_rate": 120,
          "monthly_rate": 2000,
          "calculated_revenue": 25500,
          "formatted_deal_value": "€24,000.00",
          "formatted_revenue": "€24,000.00",
          "formatted_other_revenue": "€1,500.00",
          "currency_unit": "EUR",
          "billing_model": "fixed_price",
          "billing_frequency": "monthly",
          "contract_duration": 12,
          "deal_resources": 3,
          "project_duration": 60,
          "template_id": "03h9vqz0k4m2t0m5p8l1t6e3d",
          "template_name": "Onboarding",
          "template_desc": "Plan of an onboarding",
          "pipeline_id": "03h9vqz0k4m2p1p5e8l1n6e3d",
          "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
          "lost_reason": null,
          "closed_at": null,
          "completed_at": null,
          "stages": [
            {
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "name": "Kick-off",
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "stage_name": "Qualification",
              "stage_key": "qualification",
              "category": "open",
              "probability": 20,
              "color": "#3b82f6",
              "position": 0,
              "status": {
                "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
                "status_key": "not_started",
                "status_name": "Not started"
              }
            }
          ],
          "pipeline_stages": [
            {
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "name": "Kick-off",
              "stage_name": "Qualification",
              "stage_key": "qualification",
              "category": "open",
              "probability": 20,
              "color": "#3b82f6",
              "position": 0
            }
          ],
          "current_stage": {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "name": "Kick-off",
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "stage_name": "Qualification",
            "stage_key": "qualification",
            "category": "open",
            "probability": 20,
            "color": "#3b82f6",
            "position": 0,
            "status": {
              "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
              "status_key": "not_started",
              "status_name": "Not started"
            }
          },
          "current_pipe_stage": {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "name": "Kick-off",
            "stage_name": "Qualification",
            "stage_key": "qualification",
            "category": "open",
            "probability": 20,
            "color": "#3b82f6",
            "position": 0
          },
          "current_milestone_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "milestone_status": {
            "total": 1,
            "completed": 1,
            "overdue": 1
          },
          "insights": {
            "progress": 1,
            "overdue_tasks": 1,
            "score": 72
          },
          "time_left": 12,
          "time_spent": 3600,
          "project_team": [
            {
              "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
              "full_name": "Ada Example",
              "email": "ada@northwind.example",
              "role": "member",
              "profile_image": "https://northwind.example/ada.png"
            }
          ],
          "partner_orgs": [
            {}
          ],
          "visible_to_all": true,
          "is_private": false,
          "is_shared": false,
          "position": 0,
          "rank": "a0",
          "external_map": {
            "crm": "0061x00000A1b2C"
          },
          "holidays_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "converted_from": "converted from",
          "invite_type": "email",
          "object_source": "integration",
          "custom_fields": {
            "tier": "gold"
          },
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "status"
          ],
          "from": {
            "status": {
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
              "status_key": "in_progress",
              "status_name": "In progress",
              "color": "#3b82f6",
              "icon": "flag",
              "category": "in_progress"
            }
          },
          "to": {
            "status": {
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
              "status_key": "completed",
              "status_name": "Completed",
              "color": "#3b82f6",
              "icon": "flag",
              "category": "completed"
            }
          }
        }
      }
    },
    {
      "event": "project_deleted",
      "label": "Project Deleted",
      "help": "A project was deleted",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "project_deleted",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
          "display_id": "A-1042",
          "project_name": "Northwind rollout",
          "description": "Rollout in three regions",
          "project_type": "deal",
          "project_type_str": "Deal",
          "start_date": "2026-01-12",
          "due_date": "2026-03-31",
          "forecasted_date": "2026-04-10",
          "show_forecasted_date": false,
          "project_score": 50,
          "tasks_count": 4,
          "milestones_count": 2,
          "phase": {
            "name": "Discovery"
          },
          "tags": [
            "priority"
          ],
          "status": {
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
            "status_key": "not_started",
            "status_name": "Not started",
            "color": "#3b82f6",
            "icon": "flag",
            "category": "not_started"
          },
          "project_manager": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "project_owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "account": {
            "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
            "account_name": "Northwind Traders"
          },
          "company_id": "03h9vqz0k4m2c0m5p8a1n6y3d",
          "customer": "customer",
          "customer_project_owner": {
            "contact_id": "03h9vqz0k4m2c0n5t8a1c6t3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "phone": "+33 4 55 50 01 00"
          },
          "is_arr": false,
          "revenue": 24000,
          "other_revenue": 1500,
          "project_fee": 5000,
          "expected_deal_value": 24000,
          "expected_onboarding_fee": 2000,
          "hourly_rate": 120,
          "monthly_rate": 2000,
          "calculated_revenue": 25500,
          "formatted_deal_value": "€24,000.00",
          "formatted_revenue": "€24,000.00",
          "formatted_other_revenue": "€1,500.00",
          "currency_unit": "EUR",
          "billing_model": "fixed_price",
          "billing_frequency": "monthly",
          "contract_duration": 12,
          "deal_resources": 3,
          "project_duration": 60,
          "template_id": "03h9vqz0k4m2t0m5p8l1t6e3d",
          "template_name": "Onboarding",
          "template_desc": "Plan of an onboarding",
          "pipeline_id": "03h9vqz0k4m2p1p5e8l1n6e3d",
          "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
          "lost_reason": null,
          "closed_at": null,
          "completed_at": null,
          "stages": [
            {
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "name": "Kick-off",
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "stage_name": "Qualification",
              "stage_key": "qualification",
              "category": "open",
              "probability": 20,
              "color": "#3b82f6",
              "position": 0,
              "status": {
                "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
                "status_key": "not_started",
                "status_name": "Not started"
              }
            }
          ],
          "pipeline_stages": [
            {
              "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "name": "Kick-off",
              "stage_name": "Qualification",
              "stage_key": "qualification",
              "category": "open",
              "probability": 20,
              "color": "#3b82f6",
              "position": 0
            }
          ],
          "current_stage": {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "name": "Kick-off",
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "stage_name": "Qualification",
            "stage_key": "qualification",
            "category": "open",
            "probability": 20,
            "color": "#3b82f6",
            "position": 0,
            "status": {
              "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
              "status_key": "not_started",
              "status_name": "Not started"
            }
          },
          "current_pipe_stage": {
            "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "name": "Kick-off",
            "stage_name": "Qualification",
            "stage_key": "qualification",
            "category": "open",
            "probability": 20,
            "color": "#3b82f6",
            "position": 0
          },
          "current_milestone_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "milestone_status": {
            "total": 1,
            "completed": 1,
            "overdue": 1
          },
          "insights": {
            "progress": 1,
            "overdue_tasks": 1,
            "score": 72
          },
          "time_left": 12,
          "time_spent": 3600,
          "project_team": [
            {
              "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
              "full_name": "Ada Example",
              "email": "ada@northwind.example",
              "role": "member",
              "profile_image": "https://northwind.example/ada.png"
            }
          ],
          "partner_orgs": [
            {}
          ],
          "visible_to_all": true,
          "is_private": false,
          "is_shared": false,
          "position": 0,
          "rank": "a0",
          "external_map": {
            "crm": "0061x00000A1b2C"
          },
          "holidays_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "converted_from": "converted from",
          "invite_type": "email",
          "object_source": "integration",
          "custom_fields": {
            "tier": "gold"
          },
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [],
          "from": {},
          "to": {}
        }
      }
    },
    {
      "event": "milestone_created",
      "label": "New Milestone",
      "help": "A milestone was created",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "milestone_created",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "milestone_id": "03h9vqz0k4m2m0l5s8t1n6e3d",
          "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
          "name": "Kick-off",
          "description": "Rollout in three regions",
          "status": {
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
            "status_key": "not_started",
            "status_name": "Not started",
            "color": "#3b82f6",
            "icon": "flag",
            "category": "not_started"
          },
          "owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "start_date": "2026-01-12",
          "due_date": "2026-03-31",
          "completed_at": null,
          "position": 0,
          "rank": "a0",
          "is_private": false,
          "is_shared": false,
          "tasks_count": 4,
          "completed_tasks_count": 1,
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "name"
          ],
          "from": {
            "name": null
          },
          "to": {
            "name": "Kick-off"
          }
        }
      }
    },
    {
      "event": "milestone_updated",
      "label": "Milestone Updated",
      "help": "Fields of a milestone changed",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "milestone_updated",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "milestone_id": "03h9vqz0k4m2m0l5s8t1n6e3d",
          "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
          "name": "Kick-off",
          "description": "Rollout in three regions",
          "status": {
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
            "status_key": "not_started",
            "status_name": "Not started",
            "color": "#3b82f6",
            "icon": "flag",
            "category": "not_started"
          },
          "owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "start_date": "2026-01-12",
          "due_date": "2026-03-31",
          "completed_at": null,
          "position": 0,
          "rank": "a0",
          "is_private": false,
          "is_shared": false,
          "tasks_count": 4,
          "completed_tasks_count": 1,
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "name"
          ],
          "from": {
            "name": "Former Kick-off"
          },
          "to": {
            "name": "Kick-off"
          }
        }
      }
    },
    {
      "event": "milestone_completed",
      "label": "Milestone Completed",
      "help": "A milestone was completed",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "milestone_completed",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "milestone_id": "03h9vqz0k4m2m0l5s8t1n6e3d",
          "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
          "name": "Kick-off",
          "description": "Rollout in three regions",
          "status": {
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
            "status_key": "completed",
            "status_name": "Completed",
            "color": "#3b82f6",
            "icon": "flag",
            "category": "completed"
          },
          "owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "start_date": "2026-01-12",
          "due_date": "2026-03-31",
          "completed_at": null,
          "position": 0,
          "rank": "a0",
          "is_private": false,
          "is_shared": false,
          "tasks_count": 4,
          "completed_tasks_count": 1,
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "status"
          ],
          "from": {
            "status": {
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
              "status_key": "in_progress",
              "status_name": "In progress",
              "color": "#3b82f6",
              "icon": "flag",
              "category": "in_progress"
            }
          },
          "to": {
            "status": {
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
              "status_key": "completed",
              "status_name": "Completed",
              "color": "#3b82f6",
              "icon": "flag",
              "category": "completed"
            }
          }
        }
      }
    },
    {
      "event": "milestone_deleted",
      "label": "Milestone Deleted",
      "help": "A milestone was deleted",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "milestone_deleted",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "milestone_id": "03h9vqz0k4m2m0l5s8t1n6e3d",
          "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
          "name": "Kick-off",
          "description": "Rollout in three regions",
          "status": {
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
            "status_key": "not_started",
            "status_name": "Not started",
            "color": "#3b82f6",
            "icon": "flag",
            "category": "not_started"
          },
          "owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "start_date": "2026-01-12",
          "due_date": "2026-03-31",
          "completed_at": null,
          "position": 0,
          "rank": "a0",
          "is_private": false,
          "is_shared": false,
          "tasks_count": 4,
          "completed_tasks_count": 1,
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [],
          "from": {},
          "to": {}
        }
      }
    },
    {
      "event": "task_created",
      "label": "New Task",
      "help": "A task was created",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "task_created",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "item_id": "03h9vqz0k4m2t0a5s8k1n6d3d",
          "task_id": "03h9vqz0k4m2t0a5s8k1n6d3d",
          "display_id": "A-1042",
          "title": "Call Ada",
          "description": "Rollout in three regions",
          "item_type": 1,
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
          "project_name": "Northwind rollout",
          "milestone_id": "03h9vqz0k4m2m0l5s8t1n6e3d",
          "milestone_name": "Kick-off",
          "parent_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "status": {
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
            "status_key": "not_started",
            "status_name": "Not started",
            "color": "#3b82f6",
            "icon": "flag",
            "category": "not_started"
          },
          "is_completed": false,
          "completed_at": null,
          "priority": {
            "value": "software",
            "label": "Software",
            "color": "#3b82f6",
            "icon": "flag"
          },
          "owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "users": [
            {
              "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
              "full_name": "Ada Example",
              "email": "ada@northwind.example",
              "profile_image": "https://northwind.example/ada.png"
            }
          ],
          "tags": [
            "priority"
          ],
          "start_date": "2026-01-12",
          "due_date": "2026-03-31",
          "is_pinned": false,
          "is_private": false,
          "is_shared": false,
          "visibility": "shared",
          "is_starred": false,
          "is_predefined": false,
          "is_risk": false,
          "is_blocked": false,
          "attachments": [
            {
              "attach_id": "03h9vqz0k4m2d0c5m8t1n6t3d",
              "document_name": "Offer",
              "file_name": "offer.pdf",
              "file_type": "application/pdf",
              "file_size": 48213,
              "file_icon": "pdf"
            }
          ],
          "time_track_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "is_timer_running": false,
          "total_elapsed_time": 0,
          "sub_items": [
            {
              "item_id": "03h9vqz0k4m2t0a5s8k1n6d3d",
              "title": "Call Ada",
              "is_completed": false,
              "due_date": "2026-03-31",
              "position": 0
            }
          ],
          "position": 0,
          "rank": "a0",
          "is_recurring": false,
          "is_recurring_child": false,
          "parent_recurring_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "recurrence_pattern": null,
          "recurrence_status": null,
          "form_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "form_structure": {},
          "form_responses": {},
          "meeting_summary_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "calendar_id": "03h9vqz0k4m2c0a5l8n1d6r3d",
          "external_map": {
            "crm": "0061x00000A1b2C"
          },
          "custom_fields": {
            "tier": "gold"
          },
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "title"
          ],
          "from": {
            "title": null
          },
          "to": {
            "title": "Call Ada"
          }
        }
      }
    },
    {
      "event": "task_updated",
      "label": "Task Updated",
      "help": "Fields of a task changed",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "task_updated",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "item_id": "03h9vqz0k4m2t0a5s8k1n6d3d",
          "task_id": "03h9vqz0k4m2t0a5s8k1n6d3d",
          "display_id": "A-1042",
          "title": "Call Ada",
          "description": "Rollout in three regions",
          "item_type": 1,
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
          "project_name": "Northwind rollout",
          "milestone_id": "03h9vqz0k4m2m0l5s8t1n6e3d",
          "milestone_name": "Kick-off",
          "parent_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "status": {
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
            "status_key": "not_started",
            "status_name": "Not started",
            "color": "#3b82f6",
            "icon": "flag",
            "category": "not_started"
          },
          "is_completed": false,
          "completed_at": null,
          "priority": {
            "value": "software",
            "label": "Software",
            "color": "#3b82f6",
            "icon": "flag"
          },
          "owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "users": [
            {
              "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
              "full_name": "Ada Example",
              "email": "ada@northwind.example",
              "profile_image": "https://northwind.example/ada.png"
            }
          ],
          "tags": [
            "priority"
          ],
          "start_date": "2026-01-12",
          "due_date": "2026-03-31",
          "is_pinned": false,
          "is_private": false,
          "is_shared": false,
          "visibility": "shared",
          "is_starred": false,
          "is_predefined": false,
          "is_risk": false,
          "is_blocked": false,
          "attachments": [
            {
              "attach_id": "03h9vqz0k4m2d0c5m8t1n6t3d",
              "document_name": "Offer",
              "file_name": "offer.pdf",
              "file_type": "application/pdf",
              "file_size": 48213,
              "file_icon": "pdf"
            }
          ],
          "time_track_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "is_timer_running": false,
          "total_elapsed_time": 0,
          "sub_items": [
            {
              "item_id": "03h9vqz0k4m2t0a5s8k1n6d3d",
              "title": "Call Ada",
              "is_completed": false,
              "due_date": "2026-03-31",
              "position": 0
            }
          ],
          "position": 0,
          "rank": "a0",
          "is_recurring": false,
          "is_recurring_child": false,
          "parent_recurring_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "recurrence_pattern": null,
          "recurrence_status": null,
          "form_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "form_structure": {},
          "form_responses": {},
          "meeting_summary_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "calendar_id": "03h9vqz0k4m2c0a5l8n1d6r3d",
          "external_map": {
            "crm": "0061x00000A1b2C"
          },
          "custom_fields": {
            "tier": "gold"
          },
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "title"
          ],
          "from": {
            "title": "Former Call Ada"
          },
          "to": {
            "title": "Call Ada"
          }
        }
      }
    },
    {
      "event": "task_assigned",
      "label": "Task Assigned",
      "help": "A task was assigned to someone",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "task_assigned",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "item_id": "03h9vqz0k4m2t0a5s8k1n6d3d",
          "task_id": "03h9vqz0k4m2t0a5s8k1n6d3d",
          "display_id": "A-1042",
          "title": "Call Ada",
          "description": "Rollout in three regions",
          "item_type": 1,
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
          "project_name": "Northwind rollout",
          "milestone_id": "03h9vqz0k4m2m0l5s8t1n6e3d",
          "milestone_name": "Kick-off",
          "parent_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "status": {
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
            "status_key": "not_started",
            "status_name": "Not started",
            "color": "#3b82f6",
            "icon": "flag",
            "category": "not_started"
          },
          "is_completed": false,
          "completed_at": null,
          "priority": {
            "value": "software",
            "label": "Software",
            "color": "#3b82f6",
            "icon": "flag"
          },
          "owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "users": [
            {
              "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
              "full_name": "Ada Example",
              "email": "ada@northwind.example",
              "profile_image": "https://northwind.example/ada.png"
            }
          ],
          "tags": [
            "priority"
          ],
          "start_date": "2026-01-12",
          "due_date": "2026-03-31",
          "is_pinned": false,
          "is_private": false,
          "is_shared": false,
          "visibility": "shared",
          "is_starred": false,
          "is_predefined": false,
          "is_risk": false,
          "is_blocked": false,
          "attachments": [
            {
              "attach_id": "03h9vqz0k4m2d0c5m8t1n6t3d",
              "document_name": "Offer",
              "file_name": "offer.pdf",
              "file_type": "application/pdf",
              "file_size": 48213,
              "file_icon": "pdf"
            }
          ],
          "time_track_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "is_timer_running": false,
          "total_elapsed_time": 0,
          "sub_items": [
            {
              "item_id": "03h9vqz0k4m2t0a5s8k1n6d3d",
              "title": "Call Ada",
              "is_completed": false,
              "due_date": "2026-03-31",
              "position": 0
            }
          ],
          "position": 0,
          "rank": "a0",
          "is_recurring": false,
          "is_recurring_child": false,
          "parent_recurring_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "recurrence_pattern": null,
          "recurrence_status": null,
          "form_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "form_structure": {},
          "form_responses": {},
          "meeting_summary_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "calendar_id": "03h9vqz0k4m2c0a5l8n1d6r3d",
          "external_map": {
            "crm": "0061x00000A1b2C"
          },
          "custom_fields": {
            "tier": "gold"
          },
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "owner"
          ],
          "from": {
            "owner": null
          },
          "to": {
            "owner": {
              "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
              "full_name": "Ada Example",
              "email": "ada@northwind.example",
              "role": "member",
              "profile_image": "https://northwind.example/ada.png"
            }
          }
        }
      }
    },
    {
      "event": "task_status_changed",
      "label": "Task Status Changed",
      "help": "The status of a task changed",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "task_status_changed",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "item_id": "03h9vqz0k4m2t0a5s8k1n6d3d",
          "task_id": "03h9vqz0k4m2t0a5s8k1n6d3d",
          "display_id": "A-1042",
          "title": "Call Ada",
          "description": "Rollout in three regions",
          "item_type": 1,
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
          "project_name": "Northwind rollout",
          "milestone_id": "03h9vqz0k4m2m0l5s8t1n6e3d",
          "milestone_name": "Kick-off",
          "parent_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "status": {
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
            "status_key": "not_started",
            "status_name": "Not started",
            "color": "#3b82f6",
            "icon": "flag",
            "category": "not_started"
          },
          "is_completed": false,
          "completed_at": null,
          "priority": {
            "value": "software",
            "label": "Software",
            "color": "#3b82f6",
            "icon": "flag"
          },
          "owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "users": [
            {
              "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
              "full_name": "Ada Example",
              "email": "ada@northwind.example",
              "profile_image": "https://northwind.example/ada.png"
            }
          ],
          "tags": [
            "priority"
          ],
          "start_date": "2026-01-12",
          "due_date": "2026-03-31",
          "is_pinned": false,
          "is_private": false,
          "is_shared": false,
          "visibility": "shared",
          "is_starred": false,
          "is_predefined": false,
          "is_risk": false,
          "is_blocked": false,
          "attachments": [
            {
              "attach_id": "03h9vqz0k4m2d0c5m8t1n6t3d",
              "document_name": "Offer",
              "file_name": "offer.pdf",
              "file_type": "application/pdf",
              "file_size": 48213,
              "file_icon": "pdf"
            }
          ],
          "time_track_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "is_timer_running": false,
          "total_elapsed_time": 0,
          "sub_items": [
            {
              "item_id": "03h9vqz0k4m2t0a5s8k1n6d3d",
              "title": "Call Ada",
              "is_completed": false,
              "due_date": "2026-03-31",
              "position": 0
            }
          ],
          "position": 0,
          "rank": "a0",
          "is_recurring": false,
          "is_recurring_child": false,
          "parent_recurring_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "recurrence_pattern": null,
          "recurrence_status": null,
          "form_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "form_structure": {},
          "form_responses": {},
          "meeting_summary_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "calendar_id": "03h9vqz0k4m2c0a5l8n1d6r3d",
          "external_map": {
            "crm": "0061x00000A1b2C"
          },
          "custom_fields": {
            "tier": "gold"
          },
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "status"
          ],
          "from": {
            "status": {
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
              "status_key": "in_progress",
              "status_name": "In progress",
              "color": "#3b82f6",
              "icon": "flag",
              "category": "in_progress"
            }
          },
          "to": {
            "status": {
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
              "status_key": "not_started",
              "status_name": "Not started",
              "color": "#3b82f6",
              "icon": "flag",
              "category": "not_started"
            }
          }
        }
      }
    },
    {
      "event": "task_completed",
      "label": "Task Completed",
      "help": "A task was completed",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "task_completed",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "item_id": "03h9vqz0k4m2t0a5s8k1n6d3d",
          "task_id": "03h9vqz0k4m2t0a5s8k1n6d3d",
          "display_id": "A-1042",
          "title": "Call Ada",
          "description": "Rollout in three regions",
          "item_type": 1,
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
          "project_name": "Northwind rollout",
          "milestone_id": "03h9vqz0k4m2m0l5s8t1n6e3d",
          "milestone_name": "Kick-off",
          "parent_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "status": {
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
            "status_key": "completed",
            "status_name": "Completed",
            "color": "#3b82f6",
            "icon": "flag",
            "category": "completed"
          },
          "is_completed": true,
          "completed_at": null,
          "priority": {
            "value": "software",
            "label": "Software",
            "color": "#3b82f6",
            "icon": "flag"
          },
          "owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "users": [
            {
              "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
              "full_name": "Ada Example",
              "email": "ada@northwind.example",
              "profile_image": "https://northwind.example/ada.png"
            }
          ],
          "tags": [
            "priority"
          ],
          "start_date": "2026-01-12",
          "due_date": "2026-03-31",
          "is_pinned": false,
          "is_private": false,
          "is_shared": false,
          "visibility": "shared",
          "is_starred": false,
          "is_predefined": false,
          "is_risk": false,
          "is_blocked": false,
          "attachments": [
            {
              "attach_id": "03h9vqz0k4m2d0c5m8t1n6t3d",
              "document_name": "Offer",
              "file_name": "offer.pdf",
              "file_type": "application/pdf",
              "file_size": 48213,
              "file_icon": "pdf"
            }
          ],
          "time_track_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "is_timer_running": false,
          "total_elapsed_time": 0,
          "sub_items": [
            {
              "item_id": "03h9vqz0k4m2t0a5s8k1n6d3d",
              "title": "Call Ada",
              "is_completed": false,
              "due_date": "2026-03-31",
              "position": 0
            }
          ],
          "position": 0,
          "rank": "a0",
          "is_recurring": false,
          "is_recurring_child": false,
          "parent_recurring_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "recurrence_pattern": null,
          "recurrence_status": null,
          "form_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "form_structure": {},
          "form_responses": {},
          "meeting_summary_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "calendar_id": "03h9vqz0k4m2c0a5l8n1d6r3d",
          "external_map": {
            "crm": "0061x00000A1b2C"
          },
          "custom_fields": {
            "tier": "gold"
          },
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "is_completed"
          ],
          "from": {
            "is_completed": false
          },
          "to": {
            "is_completed": true
          }
        }
      }
    },
    {
      "event": "task_overdue",
      "label": "Task Overdue",
      "help": "The due date of an open task passed",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "task_overdue",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "item_id": "03h9vqz0k4m2t0a5s8k1n6d3d",
          "task_id": "03h9vqz0k4m2t0a5s8k1n6d3d",
          "display_id": "A-1042",
          "title": "Call Ada",
          "description": "Rollout in three regions",
          "item_type": 1,
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
          "project_name": "Northwind rollout",
          "milestone_id": "03h9vqz0k4m2m0l5s8t1n6e3d",
          "milestone_name": "Kick-off",
          "parent_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "status": {
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
            "status_key": "not_started",
            "status_name": "Not started",
            "color": "#3b82f6",
            "icon": "flag",
            "category": "not_started"
          },
          "is_completed": false,
          "completed_at": null,
          "priority": {
            "value": "software",
            "label": "Software",
            "color": "#3b82f6",
            "icon": "flag"
          },
          "owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "users": [
            {
              "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
              "full_name": "Ada Example",
              "email": "ada@northwind.example",
              "profile_image": "https://northwind.example/ada.png"
            }
          ],
          "tags": [
            "priority"
          ],
          "start_date": "2026-01-12",
          "due_date": "2026-03-31",
          "is_pinned": false,
          "is_private": false,
          "is_shared": false,
          "visibility": "shared",
          "is_starred": false,
          "is_predefined": false,
          "is_risk": false,
          "is_blocked": false,
          "attachments": [
            {
              "attach_id": "03h9vqz0k4m2d0c5m8t1n6t3d",
              "document_name": "Offer",
              "file_name": "offer.pdf",
              "file_type": "application/pdf",
              "file_size": 48213,
              "file_icon": "pdf"
            }
          ],
          "time_track_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "is_timer_running": false,
          "total_elapsed_time": 0,
          "sub_items": [
            {
              "item_id": "03h9vqz0k4m2t0a5s8k1n6d3d",
              "title": "Call Ada",
              "is_completed": false,
              "due_date": "2026-03-31",
              "position": 0
            }
          ],
          "position": 0,
          "rank": "a0",
          "is_recurring": false,
          "is_recurring_child": false,
          "parent_recurring_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "recurrence_pattern": null,
          "recurrence_status": null,
          "form_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "form_structure": {},
          "form_responses": {},
          "meeting_summary_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "calendar_id": "03h9vqz0k4m2c0a5l8n1d6r3d",
          "external_map": {
            "crm": "0061x00000A1b2C"
          },
          "custom_fields": {
            "tier": "gold"
          },
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [],
          "from": {},
          "to": {}
        }
      }
    },
    {
      "event": "task_deleted",
      "label": "Task Deleted",
      "help": "A task was deleted",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "task_deleted",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "item_id": "03h9vqz0k4m2t0a5s8k1n6d3d",
          "task_id": "03h9vqz0k4m2t0a5s8k1n6d3d",
          "display_id": "A-1042",
          "title": "Call Ada",
          "description": "Rollout in three regions",
          "item_type": 1,
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
          "project_name": "Northwind rollout",
          "milestone_id": "03h9vqz0k4m2m0l5s8t1n6e3d",
          "milestone_name": "Kick-off",
          "parent_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "status": {
            "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
            "status_id": "03h9vqz0k4m2s0t5t8s1i6d3d",
            "status_key": "not_started",
            "status_name": "Not started",
            "color": "#3b82f6",
            "icon": "flag",
            "category": "not_started"
          },
          "is_completed": false,
          "completed_at": null,
          "priority": {
            "value": "software",
            "label": "Software",
            "color": "#3b82f6",
            "icon": "flag"
          },
          "owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "users": [
            {
              "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
              "full_name": "Ada Example",
              "email": "ada@northwind.example",
              "profile_image": "https://northwind.example/ada.png"
            }
          ],
          "tags": [
            "priority"
          ],
          "start_date": "2026-01-12",
          "due_date": "2026-03-31",
          "is_pinned": false,
          "is_private": false,
          "is_shared": false,
          "visibility": "shared",
          "is_starred": false,
          "is_predefined": false,
          "is_risk": false,
          "is_blocked": false,
          "attachments": [
            {
              "attach_id": "03h9vqz0k4m2d0c5m8t1n6t3d",
              "document_name": "Offer",
              "file_name": "offer.pdf",
              "file_type": "application/pdf",
              "file_size": 48213,
              "file_icon": "pdf"
            }
          ],
          "time_track_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "is_timer_running": false,
          "total_elapsed_time": 0,
          "sub_items": [
            {
              "item_id": "03h9vqz0k4m2t0a5s8k1n6d3d",
              "title": "Call Ada",
              "is_completed": false,
              "due_date": "2026-03-31",
              "position": 0
            }
          ],
          "position": 0,
          "rank": "a0",
          "is_recurring": false,
          "is_recurring_child": false,
          "parent_recurring_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "recurrence_pattern": null,
          "recurrence_status": null,
          "form_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "form_structure": {},
          "form_responses": {},
          "meeting_summary_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "calendar_id": "03h9vqz0k4m2c0a5l8n1d6r3d",
          "external_map": {
            "crm": "0061x00000A1b2C"
          },
          "custom_fields": {
            "tier": "gold"
          },
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [],
          "from": {},
          "to": {}
        }
      }
    },
    {
      "event": "template_created",
      "label": "New Template",
      "help": "A template was created",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "template_created",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "template_id": "03h9vqz0k4m2t0m5p8l1t6e3d",
          "org_temp_id": "03h9vqz0k4m2t0m5p8l1t6e3d",
          "template_name": "Onboarding",
          "description": "Rollout in three regions",
          "template_type": "project",
          "template_config": {
            "stages": [
              {
                "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
                "name": "Kick-off",
                "color": "#3b82f6",
                "status": {},
                "description": "Rollout in three regions",
                "is_shared": false,
                "start_offset_days": 1,
                "duration_days": 1,
                "assignee_role": "assignee role",
                "tasks": [],
                "milestones": []
              }
            ]
          },
          "options": {},
          "is_predefined": false,
          "is_default": false,
          "tags": [
            "priority"
          ],
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "template_name"
          ],
          "from": {
            "template_name": null
          },
          "to": {
            "template_name": "Onboarding"
          }
        }
      }
    },
    {
      "event": "template_updated",
      "label": "Template Updated",
      "help": "A template changed",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "template_updated",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "template_id": "03h9vqz0k4m2t0m5p8l1t6e3d",
          "org_temp_id": "03h9vqz0k4m2t0m5p8l1t6e3d",
          "template_name": "Onboarding",
          "description": "Rollout in three regions",
          "template_type": "project",
          "template_config": {
            "stages": [
              {
                "stage_id": "03h9vqz0k4m2s0t5a8g1e6x3d",
                "name": "Kick-off",
                "color": "#3b82f6",
                "status": {},
                "description": "Rollout in three regions",
                "is_shared": false,
                "start_offset_days": 1,
                "duration_days": 1,
                "assignee_role": "assignee role",
                "tasks": [],
                "milestones": []
              }
            ]
          },
          "options": {},
          "is_predefined": false,
          "is_default": false,
          "tags": [
            "priority"
          ],
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "template_name"
          ],
          "from": {
            "template_name": "Former Onboarding"
          },
          "to": {
            "template_name": "Onboarding"
          }
        }
      }
    },
    {
      "event": "user_created",
      "label": "New User",
      "help": "A user joined the organization",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "user_created",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "profile_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
          "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
          "full_name": "Ada Example",
          "email": "ada@northwind.example",
          "phone_no": "+33 4 55 50 01 00",
          "designation": "Account executive",
          "department": "Operations",
          "tags": [
            "priority"
          ],
          "role_id": "03h9vqz0k4m2r0l5e8a1n6d3d",
          "role": "member",
          "organization": "03h9vqz0k4m2o0r5g8a1n6d3d",
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "is_active": true,
          "is_fir_login": false,
          "is_invited": true,
          "is_demo_data": false,
          "is_team_head": false,
          "reports_to": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "joining_date": "2025-09-01",
          "language": "en",
          "timezone": "Europe/Paris",
          "locale": "en-GB",
          "profile_image": "https://northwind.example/ada.png",
          "cover_image": "https://northwind.example/cover.png",
          "background_image": "https://northwind.example/back.png",
          "invite_token": null,
          "projects": 1,
          "tasks": 1,
          "deals": 1,
          "custom_fields": {
            "tier": "gold"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "full_name"
          ],
          "from": {
            "full_name": null
          },
          "to": {
            "full_name": "Ada Example"
          }
        }
      }
    },
    {
      "event": "user_updated",
      "label": "User Updated",
      "help": "The profile of a user changed",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "user_updated",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "profile_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
          "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
          "full_name": "Ada Example",
          "email": "ada@northwind.example",
          "phone_no": "+33 4 55 50 01 00",
          "designation": "Account executive",
          "department": "Operations",
          "tags": [
            "priority"
          ],
          "role_id": "03h9vqz0k4m2r0l5e8a1n6d3d",
          "role": "member",
          "organization": "03h9vqz0k4m2o0r5g8a1n6d3d",
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "is_active": true,
          "is_fir_login": false,
          "is_invited": true,
          "is_demo_data": false,
          "is_team_head": false,
          "reports_to": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "joining_date": "2025-09-01",
          "language": "en",
          "timezone": "Europe/Paris",
          "locale": "en-GB",
          "profile_image": "https://northwind.example/ada.png",
          "cover_image": "https://northwind.example/cover.png",
          "background_image": "https://northwind.example/back.png",
          "invite_token": null,
          "projects": 1,
          "tasks": 1,
          "deals": 1,
          "custom_fields": {
            "tier": "gold"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "full_name"
          ],
          "from": {
            "full_name": "Former Ada Example"
          },
          "to": {
            "full_name": "Ada Example"
          }
        }
      }
    },
    {
      "event": "user_deactivated",
      "label": "User Deactivated",
      "help": "A user was deactivated",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "user_deactivated",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "profile_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
          "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
          "full_name": "Ada Example",
          "email": "ada@northwind.example",
          "phone_no": "+33 4 55 50 01 00",
          "designation": "Account executive",
          "department": "Operations",
          "tags": [
            "priority"
          ],
          "role_id": "03h9vqz0k4m2r0l5e8a1n6d3d",
          "role": "member",
          "organization": "03h9vqz0k4m2o0r5g8a1n6d3d",
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "is_active": false,
          "is_fir_login": false,
          "is_invited": true,
          "is_demo_data": false,
          "is_team_head": false,
          "reports_to": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "joining_date": "2025-09-01",
          "language": "en",
          "timezone": "Europe/Paris",
          "locale": "en-GB",
          "profile_image": "https://northwind.example/ada.png",
          "cover_image": "https://northwind.example/cover.png",
          "background_image": "https://northwind.example/back.png",
          "invite_token": null,
          "projects": 1,
          "tasks": 1,
          "deals": 1,
          "custom_fields": {
            "tier": "gold"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "is_active"
          ],
          "from": {
            "is_active": true
          },
          "to": {
            "is_active": false
          }
        }
      }
    },
    {
      "event": "survey_published",
      "label": "Survey Published",
      "help": "A survey was published",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "survey_published",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "survey_id": "03h9vqz0k4m2s0r5v8y1i6d3d",
          "organization": "03h9vqz0k4m2o0r5g8a1n6d3d",
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "item_type": "survey",
          "name": "Onboarding feedback",
          "description": "Rollout in three regions",
          "form_structure": {
            "pages": [
              {
                "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
                "title": "Call Ada",
                "fields": []
              }
            ],
            "version": 3
          },
          "form_style": "IN_APP",
          "form_container_style": "POPUP",
          "background_color": "#ffffff",
          "background_url": null,
          "field_border": "Rounded",
          "action_color": "#3b82f6",
          "status": "published",
          "is_active": true,
          "end_date": "2026-03-31T17:00:00.000Z",
          "response_limit": null,
          "one_per_email": false,
          "closing_text": "Thank you!",
          "view_count": 3,
          "response_count": 12,
          "field_count": 2,
          "tags": [
            "priority"
          ],
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "status"
          ],
          "from": {
            "status": "draft"
          },
          "to": {
            "status": "published"
          }
        }
      }
    },
    {
      "event": "survey_closed",
      "label": "Survey Closed",
      "help": "A survey was closed",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "survey_closed",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "survey_id": "03h9vqz0k4m2s0r5v8y1i6d3d",
          "organization": "03h9vqz0k4m2o0r5g8a1n6d3d",
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "item_type": "survey",
          "name": "Onboarding feedback",
          "description": "Rollout in three regions",
          "form_structure": {
            "pages": [
              {
                "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
                "title": "Call Ada",
                "fields": []
              }
            ],
            "version": 3
          },
          "form_style": "IN_APP",
          "form_container_style": "POPUP",
          "background_color": "#ffffff",
          "background_url": null,
          "field_border": "Rounded",
          "action_color": "#3b82f6",
          "status": "closed",
          "is_active": true,
          "end_date": "2026-03-31T17:00:00.000Z",
          "response_limit": null,
          "one_per_email": false,
          "closing_text": "Thank you!",
          "view_count": 3,
          "response_count": 12,
          "field_count": 2,
          "tags": [
            "priority"
          ],
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "status"
          ],
          "from": {
            "status": "published"
          },
          "to": {
            "status": "closed"
          }
        }
      }
    },
    {
      "event": "survey_response_submitted",
      "label": "New Survey Response",
      "help": "A response to a survey was submitted",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "survey_response_submitted",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "response_id": "03h9vqz0k4m2r0s5p8n1s6e3d",
          "survey_id": "03h9vqz0k4m2s0r5v8y1i6d3d",
          "structure_version": 1,
          "answers": {
            "q1": "Fine",
            "q2": 9
          },
          "respondent_email": "ada@northwind.example",
          "finished": true,
          "finished_at": "2026-01-15T09:30:00.000Z",
          "creation_time": "2026-01-12T08:00:00.000Z",
          "survey_name": "Onboarding feedback",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "response_id"
          ],
          "from": {
            "response_id": null
          },
          "to": {
            "response_id": "03h9vqz0k4m2r0s5p8n1s6e3d"
          }
        }
      }
    },
    {
      "event": "document_published",
      "label": "Document Published",
      "help": "A document was published",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "document_published",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "attach_id": "03h9vqz0k4m2d0c5m8t1n6t3d",
          "organization": "03h9vqz0k4m2o0r5g8a1n6d3d",
          "document_name": "Offer",
          "description": "Rollout in three regions",
          "module_id": 5,
          "module_name": "contacts",
          "sub_module": "contracts",
          "reference_id": "03h9vqz0k4m2c0n5t8a1c6t3d",
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
          "storage_type": "local",
          "file_name": "offer.pdf",
          "zip_file_name": "offers.zip",
          "file_type": "application/pdf",
          "file_size": 48213,
          "file_path": "file path",
          "file_icon": "pdf",
          "file_hash": "file hash",
          "external_file_url": "https://files.example/offer",
          "is_editorjs_document": false,
          "editorjs_content": null,
          "editor_html_content": "<p>Dear Ada</p>",
          "in_line_type": 1,
          "menu_type": "main",
          "is_private": false,
          "is_shared": false,
          "private_users": [
            "private user"
          ],
          "show_download_icon": true,
          "show_in_document": true,
          "public_config": {},
          "tags": [
            "priority"
          ],
          "version": 1,
          "version_type": "edit",
          "parent_attach_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "original_attach_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "latest_version": true,
          "is_signed_version": false,
          "document_status": "published",
          "published_at": null,
          "signature_status": "none",
          "signature_enabled": false,
          "signatures_required": 1,
          "signatures_completed": 0,
          "signature_recipients": [
            {
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "name": "Kick-off",
              "email": "ada@northwind.example",
              "role": "signer",
              "order": 1,
              "status": "waiting",
              "sent_at": "2026-01-15T09:30:00.000Z",
              "viewed_at": "2026-01-15T09:30:00.000Z",
              "signed_at": null,
              "declined_at": "2026-01-15T09:30:00.000Z",
              "decline_reason": "decline reason",
              "fields": [
                {
                  "kind": "signature",
                  "page": 1,
                  "x": 0,
                  "y": 0,
                  "width": 1,
                  "height": 1,
                  "label": "Software",
                  "required": false,
                  "value": "software"
                }
              ]
            }
          ],
          "signature_message": "signature message",
          "signature_expires_at": "2026-01-15T09:30:00.000Z",
          "is_sequential": false,
          "signed_at": null,
          "external_template_id": 12,
          "external_template_slug": "offer",
          "external_frozen_template_id": 13,
          "external_frozen_template_slug": "offer-1",
          "external_submission_id": 14,
          "external_signed_document_url": "https://example.com/",
          "external_audit_log_url": "https://example.com/",
          "view_count": 3,
          "download_count": 1,
          "share_count": 0,
          "document_template": null,
          "document_owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "start_date": "2026-01-12",
          "due_date": "2026-03-31",
          "forecasted_date": "2026-04-10",
          "show_forecasted_date": false,
          "revenue": 24000,
          "is_arr": false,
          "document_fee": 500,
          "custom_fields": {
            "tier": "gold"
          },
          "is_deleted": false,
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "record_version": 3
        },
        "changes": {
          "changed_fields": [
            "document_status"
          ],
          "from": {
            "document_status": "draft"
          },
          "to": {
            "document_status": "published"
          }
        }
      }
    },
    {
      "event": "document_signature_requested",
      "label": "Signatures Requested",
      "help": "Signatures of a document were requested",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "document_signature_requested",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "attach_id": "03h9vqz0k4m2d0c5m8t1n6t3d",
          "organization": "03h9vqz0k4m2o0r5g8a1n6d3d",
          "document_name": "Offer",
          "description": "Rollout in three regions",
          "module_id": 5,
          "module_name": "contacts",
          "sub_module": "contracts",
          "reference_id": "03h9vqz0k4m2c0n5t8a1c6t3d",
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
          "storage_type": "local",
          "file_name": "offer.pdf",
          "zip_file_name": "offers.zip",
          "file_type": "application/pdf",
          "file_size": 48213,
          "file_path": "file path",
          "file_icon": "pdf",
          "file_hash": "file hash",
          "external_file_url": "https://files.example/offer",
          "is_editorjs_document": false,
          "editorjs_content": null,
          "editor_html_content": "<p>Dear Ada</p>",
          "in_line_type": 1,
          "menu_type": "main",
          "is_private": false,
          "is_shared": false,
          "private_users": [
            "private user"
          ],
          "show_download_icon": true,
          "show_in_document": true,
          "public_config": {},
          "tags": [
            "priority"
          ],
          "version": 1,
          "version_type": "edit",
          "parent_attach_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "original_attach_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "latest_version": true,
          "is_signed_version": false,
          "document_status": "draft",
          "published_at": null,
          "signature_status": "pending",
          "signature_enabled": false,
          "signatures_required": 1,
          "signatures_completed": 0,
          "signature_recipients": [
            {
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "name": "Kick-off",
              "email": "ada@northwind.example",
              "role": "signer",
              "order": 1,
              "status": "waiting",
              "sent_at": "2026-01-15T09:30:00.000Z",
              "viewed_at": "2026-01-15T09:30:00.000Z",
              "signed_at": null,
              "declined_at": "2026-01-15T09:30:00.000Z",
              "decline_reason": "decline reason",
              "fields": [
                {
                  "kind": "signature",
                  "page": 1,
                  "x": 0,
                  "y": 0,
                  "width": 1,
                  "height": 1,
                  "label": "Software",
                  "required": false,
                  "value": "software"
                }
              ]
            }
          ],
          "signature_message": "signature message",
          "signature_expires_at": "2026-01-15T09:30:00.000Z",
          "is_sequential": false,
          "signed_at": null,
          "external_template_id": 12,
          "external_template_slug": "offer",
          "external_frozen_template_id": 13,
          "external_frozen_template_slug": "offer-1",
          "external_submission_id": 14,
          "external_signed_document_url": "https://example.com/",
          "external_audit_log_url": "https://example.com/",
          "view_count": 3,
          "download_count": 1,
          "share_count": 0,
          "document_template": null,
          "document_owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "start_date": "2026-01-12",
          "due_date": "2026-03-31",
          "forecasted_date": "2026-04-10",
          "show_forecasted_date": false,
          "revenue": 24000,
          "is_arr": false,
          "document_fee": 500,
          "custom_fields": {
            "tier": "gold"
          },
          "is_deleted": false,
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "record_version": 3
        },
        "changes": {
          "changed_fields": [
            "signature_status"
          ],
          "from": {
            "signature_status": "none"
          },
          "to": {
            "signature_status": "pending"
          }
        }
      }
    },
    {
      "event": "document_signed",
      "label": "Document Signed",
      "help": "All signers signed a document",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "document_signed",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "attach_id": "03h9vqz0k4m2d0c5m8t1n6t3d",
          "organization": "03h9vqz0k4m2o0r5g8a1n6d3d",
          "document_name": "Offer",
          "description": "Rollout in three regions",
          "module_id": 5,
          "module_name": "contacts",
          "sub_module": "contracts",
          "reference_id": "03h9vqz0k4m2c0n5t8a1c6t3d",
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
          "storage_type": "local",
          "file_name": "offer.pdf",
          "zip_file_name": "offers.zip",
          "file_type": "application/pdf",
          "file_size": 48213,
          "file_path": "file path",
          "file_icon": "pdf",
          "file_hash": "file hash",
          "external_file_url": "https://files.example/offer",
          "is_editorjs_document": false,
          "editorjs_content": null,
          "editor_html_content": "<p>Dear Ada</p>",
          "in_line_type": 1,
          "menu_type": "main",
          "is_private": false,
          "is_shared": false,
          "private_users": [
            "private user"
          ],
          "show_download_icon": true,
          "show_in_document": true,
          "public_config": {},
          "tags": [
            "priority"
          ],
          "version": 1,
          "version_type": "edit",
          "parent_attach_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "original_attach_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "latest_version": true,
          "is_signed_version": false,
          "document_status": "draft",
          "published_at": null,
          "signature_status": "signed",
          "signature_enabled": false,
          "signatures_required": 1,
          "signatures_completed": 0,
          "signature_recipients": [
            {
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "name": "Kick-off",
              "email": "ada@northwind.example",
              "role": "signer",
              "order": 1,
              "status": "waiting",
              "sent_at": "2026-01-15T09:30:00.000Z",
              "viewed_at": "2026-01-15T09:30:00.000Z",
              "signed_at": null,
              "declined_at": "2026-01-15T09:30:00.000Z",
              "decline_reason": "decline reason",
              "fields": [
                {
                  "kind": "signature",
                  "page": 1,
                  "x": 0,
                  "y": 0,
                  "width": 1,
                  "height": 1,
                  "label": "Software",
                  "required": false,
                  "value": "software"
                }
              ]
            }
          ],
          "signature_message": "signature message",
          "signature_expires_at": "2026-01-15T09:30:00.000Z",
          "is_sequential": false,
          "signed_at": null,
          "external_template_id": 12,
          "external_template_slug": "offer",
          "external_frozen_template_id": 13,
          "external_frozen_template_slug": "offer-1",
          "external_submission_id": 14,
          "external_signed_document_url": "https://example.com/",
          "external_audit_log_url": "https://example.com/",
          "view_count": 3,
          "download_count": 1,
          "share_count": 0,
          "document_template": null,
          "document_owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "start_date": "2026-01-12",
          "due_date": "2026-03-31",
          "forecasted_date": "2026-04-10",
          "show_forecasted_date": false,
          "revenue": 24000,
          "is_arr": false,
          "document_fee": 500,
          "custom_fields": {
            "tier": "gold"
          },
          "is_deleted": false,
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "record_version": 3
        },
        "changes": {
          "changed_fields": [
            "signature_status"
          ],
          "from": {
            "signature_status": "pending"
          },
          "to": {
            "signature_status": "signed"
          }
        }
      }
    },
    {
      "event": "document_declined",
      "label": "Document Declined",
      "help": "Someone declined to sign a document",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "document_declined",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "attach_id": "03h9vqz0k4m2d0c5m8t1n6t3d",
          "organization": "03h9vqz0k4m2o0r5g8a1n6d3d",
          "document_name": "Offer",
          "description": "Rollout in three regions",
          "module_id": 5,
          "module_name": "contacts",
          "sub_module": "contracts",
          "reference_id": "03h9vqz0k4m2c0n5t8a1c6t3d",
          "account_id": "03h9vqz0k4m2a0c5c8t1n6d3d",
          "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
          "storage_type": "local",
          "file_name": "offer.pdf",
          "zip_file_name": "offers.zip",
          "file_type": "application/pdf",
          "file_size": 48213,
          "file_path": "file path",
          "file_icon": "pdf",
          "file_hash": "file hash",
          "external_file_url": "https://files.example/offer",
          "is_editorjs_document": false,
          "editorjs_content": null,
          "editor_html_content": "<p>Dear Ada</p>",
          "in_line_type": 1,
          "menu_type": "main",
          "is_private": false,
          "is_shared": false,
          "private_users": [
            "private user"
          ],
          "show_download_icon": true,
          "show_in_document": true,
          "public_config": {},
          "tags": [
            "priority"
          ],
          "version": 1,
          "version_type": "edit",
          "parent_attach_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "original_attach_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
          "latest_version": true,
          "is_signed_version": false,
          "document_status": "draft",
          "published_at": null,
          "signature_status": "declined",
          "signature_enabled": false,
          "signatures_required": 1,
          "signatures_completed": 0,
          "signature_recipients": [
            {
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "name": "Kick-off",
              "email": "ada@northwind.example",
              "role": "signer",
              "order": 1,
              "status": "waiting",
              "sent_at": "2026-01-15T09:30:00.000Z",
              "viewed_at": "2026-01-15T09:30:00.000Z",
              "signed_at": null,
              "declined_at": "2026-01-15T09:30:00.000Z",
              "decline_reason": "decline reason",
              "fields": [
                {
                  "kind": "signature",
                  "page": 1,
                  "x": 0,
                  "y": 0,
                  "width": 1,
                  "height": 1,
                  "label": "Software",
                  "required": false,
                  "value": "software"
                }
              ]
            }
          ],
          "signature_message": "signature message",
          "signature_expires_at": "2026-01-15T09:30:00.000Z",
          "is_sequential": false,
          "signed_at": null,
          "external_template_id": 12,
          "external_template_slug": "offer",
          "external_frozen_template_id": 13,
          "external_frozen_template_slug": "offer-1",
          "external_submission_id": 14,
          "external_signed_document_url": "https://example.com/",
          "external_audit_log_url": "https://example.com/",
          "view_count": 3,
          "download_count": 1,
          "share_count": 0,
          "document_template": null,
          "document_owner": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "start_date": "2026-01-12",
          "due_date": "2026-03-31",
          "forecasted_date": "2026-04-10",
          "show_forecasted_date": false,
          "revenue": 24000,
          "is_arr": false,
          "document_fee": 500,
          "custom_fields": {
            "tier": "gold"
          },
          "is_deleted": false,
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "record_version": 3
        },
        "changes": {
          "changed_fields": [
            "signature_status"
          ],
          "from": {
            "signature_status": "pending"
          },
          "to": {
            "signature_status": "declined"
          }
        }
      }
    },
    {
      "event": "meeting_scheduled",
      "label": "Meeting Scheduled",
      "help": "A meeting was scheduled, or takes place after all",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "meeting_scheduled",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "calendar_id": "03h9vqz0k4m2c0a5l8n1d6r3d",
          "title": "Call Ada",
          "class_name": "primary",
          "location": "Lyon",
          "description": "Rollout in three regions",
          "start": "2026-01-15T09:00:00.000Z",
          "end": "2026-01-15T10:00:00.000Z",
          "all_day": false,
          "users": [
            "user"
          ],
          "optional_users": [
            "optional user"
          ],
          "attendees": [
            {
              "type": "user",
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "email": "ada@northwind.example",
              "name": "Kick-off",
              "is_optional": false,
              "response": "needs_action"
            }
          ],
          "extended_props": {},
          "link": "https://meet.example/kick-off",
          "repeat": null,
          "project": {
            "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
            "project_name": "Northwind rollout"
          },
          "milestone_id": "03h9vqz0k4m2m0l5s8t1n6e3d",
          "is_video_conference": true,
          "video_conference_type": "meet",
          "timezone": {},
          "is_meeting_cancelled": false,
          "cancel_note": null,
          "push_to_calendar_a": false,
          "push_to_calendar_b": false,
          "is_private": false,
          "is_shared": false,
          "source_ref_id": "evt-2041",
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "title"
          ],
          "from": {
            "title": "Former Call Ada"
          },
          "to": {
            "title": "Call Ada"
          }
        }
      }
    },
    {
      "event": "meeting_rescheduled",
      "label": "Meeting Rescheduled",
      "help": "A meeting was moved to another time",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "meeting_rescheduled",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "calendar_id": "03h9vqz0k4m2c0a5l8n1d6r3d",
          "title": "Call Ada",
          "class_name": "primary",
          "location": "Lyon",
          "description": "Rollout in three regions",
          "start": "2026-01-15T09:00:00.000Z",
          "end": "2026-01-15T10:00:00.000Z",
          "all_day": false,
          "users": [
            "user"
          ],
          "optional_users": [
            "optional user"
          ],
          "attendees": [
            {
              "type": "user",
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "email": "ada@northwind.example",
              "name": "Kick-off",
              "is_optional": false,
              "response": "needs_action"
            }
          ],
          "extended_props": {},
          "link": "https://meet.example/kick-off",
          "repeat": null,
          "project": {
            "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
            "project_name": "Northwind rollout"
          },
          "milestone_id": "03h9vqz0k4m2m0l5s8t1n6e3d",
          "is_video_conference": true,
          "video_conference_type": "meet",
          "timezone": {},
          "is_meeting_cancelled": false,
          "cancel_note": null,
          "push_to_calendar_a": false,
          "push_to_calendar_b": false,
          "is_private": false,
          "is_shared": false,
          "source_ref_id": "evt-2041",
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "start",
            "end"
          ],
          "from": {
            "start": "2026-01-14T09:00:00.000Z",
            "end": "2026-01-14T10:00:00.000Z"
          },
          "to": {
            "start": "2026-01-15T09:00:00.000Z",
            "end": "2026-01-15T10:00:00.000Z"
          }
        }
      }
    },
    {
      "event": "meeting_cancelled",
      "label": "Meeting Cancelled",
      "help": "A meeting was cancelled or deleted",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "meeting_cancelled",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "calendar_id": "03h9vqz0k4m2c0a5l8n1d6r3d",
          "title": "Call Ada",
          "class_name": "primary",
          "location": "Lyon",
          "description": "Rollout in three regions",
          "start": "2026-01-15T09:00:00.000Z",
          "end": "2026-01-15T10:00:00.000Z",
          "all_day": false,
          "users": [
            "user"
          ],
          "optional_users": [
            "optional user"
          ],
          "attendees": [
            {
              "type": "user",
              "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "email": "ada@northwind.example",
              "name": "Kick-off",
              "is_optional": false,
              "response": "needs_action"
            }
          ],
          "extended_props": {},
          "link": "https://meet.example/kick-off",
          "repeat": null,
          "project": {
            "project_id": "03h9vqz0k4m2p0r5o8j1c6t3d",
            "project_name": "Northwind rollout"
          },
          "milestone_id": "03h9vqz0k4m2m0l5s8t1n6e3d",
          "is_video_conference": true,
          "video_conference_type": "meet",
          "timezone": {},
          "is_meeting_cancelled": true,
          "cancel_note": null,
          "push_to_calendar_a": false,
          "push_to_calendar_b": false,
          "is_private": false,
          "is_shared": false,
          "source_ref_id": "evt-2041",
          "created_by": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "is_meeting_cancelled"
          ],
          "from": {
            "is_meeting_cancelled": false
          },
          "to": {
            "is_meeting_cancelled": true
          }
        }
      }
    },
    {
      "event": "interaction_created",
      "label": "New Comment or Message",
      "help": "A comment or a message was written",
      "example": {
        "id": "03h9vqz0k4m2x7c5t8b1n6r3d",
        "event_id": "03h9vqz0k4m2wp9f1s6y8j2va",
        "type": "interaction_created",
        "timestamp": "2026-01-15T09:30:00.000Z",
        "subscription_id": "03h9vqz0k4m3b5h7q9u1e4xzc",
        "organization_id": "03h9vqz0k4m1d2g6l8o3i5wye",
        "source": "application",
        "actor": {
          "type": "user",
          "id": "03h9vqz0k4m1k7n4p2r9t6xub",
          "full_name": "Ada Example"
        },
        "data": {
          "interaction_id": "03h9vqz0k4m2i0n5t8r1c6t3d",
          "content": "Called, and she is happy",
          "interaction_type": "comment",
          "module_id": 5,
          "module_name": "contacts",
          "reference_id": "03h9vqz0k4m2c0n5t8a1c6t3d",
          "is_pinned": false,
          "is_resolved": false,
          "is_private": false,
          "is_shared": false,
          "visible_to_users": [
            "visible to user"
          ],
          "reply_count": 1,
          "mentions": [
            {
              "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
              "full_name": "Ada Example",
              "profile_image": "https://northwind.example/ada.png"
            }
          ],
          "reactions": [
            {
              "reaction": "👍",
              "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
              "full_name": "Ada Example"
            }
          ],
          "reactions_summary": {},
          "formatted_creation_time": "2 hours ago",
          "user_details": {
            "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
            "full_name": "Ada Example",
            "email": "ada@northwind.example",
            "role": "member",
            "profile_image": "https://northwind.example/ada.png"
          },
          "is_read": true,
          "attachment_files": [
            {
              "attach_id": "03h9vqz0k4m2d0c5m8t1n6t3d",
              "document_name": "Offer",
              "file_name": "offer.pdf",
              "file_type": "application/pdf",
              "file_size": 48213,
              "file_icon": "pdf"
            }
          ],
          "reply_interactions": [
            {
              "interaction_id": "03h9vqz0k4m2i0n5t8r1c6t3d",
              "content": "Called, and she is happy",
              "parent_interaction_id": "03h9vqz0k4m2x7c5t8b1n6r3d",
              "thread_level": 0,
              "is_deleted": false,
              "formatted_creation_time": "2 hours ago",
              "user_details": {
                "user_id": "03h9vqz0k4m2u5e5r8a1n6d3d",
                "full_name": "Ada Example",
                "profile_image": "https://northwind.example/ada.png"
              }
            }
          ],
          "thread_level": 0,
          "parent_interaction_id": null,
          "is_system_generated": false,
          "is_deleted": false,
          "creation_time": "2026-01-12T08:00:00.000Z",
          "last_update_time": "2026-01-15T09:30:00.000Z",
          "version": 3
        },
        "changes": {
          "changed_fields": [
            "content"
          ],
          "from": {
            "content": null
          },
          "to": {
            "content": "Called, and she is happy"
          }
        }
      }
    }
  ]
}
